import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** The requests of a client, as the service receives them. */
export interface Count {
  /** Of an operation of booking, or of a tool. */
  calls: number;
  /** To find the interface, to connect, and to list the tools. */
  preparations: number;
}

/** A reverse proxy before the service that counts; the public address of the service is its own. */
export interface Traffic {
  url: string;
  leadTo(serviceUrl: string): void;
  /** Counts from zero. The service is given `address` as the caller's. */
  countFor(address: string): Count;
  close(): Promise<void>;
}

const connectorPath = '/api/public/mcp';
/** As the service: a client that polls each five seconds must not meet a connection being closed. */
const keepAliveTimeout = 72_000;
const documents = ['/api/public/openapi.json', '/api/public/mcp/server-card'];

export async function startTraffic(): Promise<Traffic> {
  let target = '';
  let caller = '';
  let count: Count = { calls: 0, preparations: 0 };

  const server = createServer({ keepAliveTimeout }, (incoming, outgoing) => {
    const forward = async (): Promise<void> => {
      const body = await buffer(incoming);
      const kind = kindOf(incoming, body);
      if (kind !== null) count[kind] += 1;
      const forwarded = request(new URL(incoming.url ?? '', target), {
        method: incoming.method,
        headers: { ...incoming.headers, 'x-forwarded-for': caller },
      });
      outgoing.on('close', () => forwarded.destroy());
      forwarded.on('error', () => outgoing.destroy());
      forwarded.end(body);
      const [answer] = (await once(forwarded, 'response')) as [IncomingMessage];
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    };
    // Clients may close a connection before its answer.
    forward().catch(() => outgoing.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo(serviceUrl) {
      target = serviceUrl;
    },
    countFor(address) {
      caller = address;
      count = { calls: 0, preparations: 0 };
      return count;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Null: of the person, who opens the link; and of a page that loads what it shows. */
function kindOf({ url = '', method, headers }: IncomingMessage, body: Buffer): keyof Count | null {
  if (url.startsWith('/checkout/')) return null;
  const destination = headers['sec-fetch-dest'];
  if (destination !== undefined && destination !== 'document') return null;
  if (url.startsWith('/book')) return 'calls';
  if (url === connectorPath) {
    const message = method === 'POST' ? (JSON.parse(body.toString()) as { method?: string }) : {};
    return message.method === 'tools/call' ? 'calls' : 'preparations';
  }
  return url.startsWith('/api/') && !documents.includes(url) ? 'calls' : 'preparations';
}
