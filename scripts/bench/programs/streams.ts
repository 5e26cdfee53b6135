/** A plain Node server that writes the bytes it receives over IPC to every socket. */
import { createServer, type ServerResponse } from 'node:http';

const responses = new Set<ServerResponse>();
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  responses.add(response);
});
process.on('message', (text: string) => {
  const bytes = Buffer.from(text);
  for (const response of responses) response.write(bytes);
});
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('ready'));
