/** The receiver of `webhooks.ts`, in a process of its own: answers 204 and tells when requests came. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

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
  process.send?.('ready');
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
