import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import type { WebhookEvent } from '../../src/client/types.js';

/** Receives webhooks on loopback, as a subscriber does. */
export interface Receiver {
  url: string;
  /** The next event, verified and acknowledged; throws if its signature is wrong, or none arrives. */
  nextEvent(signingSecret: string): Promise<WebhookEvent>;
  close(): Promise<void>;
}

const patienceMs = 60_000;

export async function startReceiver(): Promise<Receiver> {
  const server = createServer().listen(0, '127.0.0.1');
  // Also for an event that arrives before it is asked for.
  const signal = AbortSignal.timeout(patienceMs);
  const request = once(server, 'request', { signal });
  request.catch(() => undefined);
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async nextEvent(signingSecret) {
      const [incoming, outgoing] = (await request) as [IncomingMessage, ServerResponse];
      const body = await text(incoming);
      const headers = incoming.headers as Record<string, string>;
      const event = new Webhook(signingSecret).verify(body, headers) as WebhookEvent;
      outgoing.writeHead(204).end();
      await once(outgoing, 'close');
      return event;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
