import { fastify } from 'fastify';

/** A bare Fastify route that sends the bytes it was given, and nothing else. */
const [port, bytes = ''] = process.argv.slice(2);
const body = Buffer.from(bytes, 'base64');
const app = fastify();
app.get('/', (_request, reply) => reply.type('application/json; charset=utf-8').send(body));
await app.listen({ host: '127.0.0.1', port: Number(port) });
process.send?.('ready');
process.on('SIGTERM', () => process.exit());
