import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { eventsPerRound, prepare, recordEvents } from '../rows/webhooks.js';
import type { Cost, Subject } from './meter.js';

/** A delivery to a fast receiver, from the event row to the record of the attempt. */
export async function costOfDeliveries({ service, database, meter, step }: Subject): Promise<Cost> {
  step('webhook deliveries');
  const sockets: Socket[] = [];
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      response.writeHead(204).end();
      server.emit('delivery');
    });
  });
  server.on('connection', (socket: Socket) => sockets.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    await prepare(service, { url: `http://127.0.0.1:${port}/hook` }, database);
    let deliveries = 0;
    const usage = await meter.measure(async () => {
      const arrived = deliveriesAt(server, eventsPerRound);
      await recordEvents(database, eventsPerRound);
      await arrived;
      deliveries += eventsPerRound;
      return eventsPerRound;
    });
    const sum = (key: 'bytesRead' | 'bytesWritten') =>
      sockets.reduce((total, socket) => total + socket[key], 0) / deliveries;
    // Seen from the service.
    const bytes = { in: sum('bytesWritten'), out: sum('bytesRead') };
    return { what: 'webhook delivery', ...usage, bytes };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function deliveriesAt(server: Server, count: number): Promise<void> {
  return new Promise((resolve) => {
    let left = count;
    const arrived = (): void => {
      left -= 1;
      if (left > 0) return;
      server.off('delivery', arrived);
      resolve();
    };
    server.on('delivery', arrived);
  });
}
