import { fastify } from 'fastify';

/** A bare Fastify route that sends given headers and bytes. */
const [port, head = '{}', body = ''] = process.argv.slice(2);
const {
  connection,
  date,
  'keep-alive': _,
  ...headers
} = JSON.parse(head) as Record<string, string>;
const bytes = Buffer.from(body, 'base64');
const app = fastify();
app.get('/', (_request, reply) => reply.headers(headers).send(bytes));
await app.listen({ host: '127.0.0.1', port: Number(port) });
process.send?.('ready');
process.on('SIGTERM', () => process.exit());
