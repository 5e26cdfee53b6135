/** A webhook receiver that answers 204. On a message with a count, it reports the times of that many requests. */
import { createServer } from 'node:http';

let expected = Infinity;
let arrivals: number[] = [];

const server = createServer((request, response) => {
  arrivals.push(Number(process.hrtime.bigint()) / 1e6);
  request.resume();
  request.on('end', () => {
    response.writeHead(204).end();
    if (arrivals.length === expected) process.send?.({ arrivals });
  });
});
server.keepAliveTimeout = 60_000;

process.on('message', (count: number) => {
  expected = count;
  arrivals = [];
  process.send?.('expecting');
});
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('ready'));
