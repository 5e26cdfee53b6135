import type { ServerResponse } from 'node:http';
import type { HandlerFactory } from '../handler.js';

const streamHeaders = {
  'content-type': 'text/event-stream',
  // A proxy that compresses would hold events back. Caddy 2.6 heeds only that an encoding is named,
  // though RFC 9110 (8.4) would not have this one here; clients take it for none.
  'cache-control': 'no-cache, no-transform',
  'content-encoding': 'identity',
  'x-accel-buffering': 'no',
  // The end of a stream is the end of its connection.
  connection: 'close',
};

export const streamEvents: HandlerFactory<'streamEvents'> =
  ({ liveStream }) =>
  async (request, reply) => {
    const isHead = request.method === 'HEAD';
    const viewer = isHead ? null : await liveStream.admit(request.caller.address);
    reply.hijack();
    writeHead(reply.raw, { ...reply.getHeaders(), ...streamHeaders });
    if (viewer === null) reply.raw.end();
    else viewer.serve(reply.raw, request.headers['last-event-id']);
    return reply;
  };

type Headers = Record<string, number | string | string[] | undefined>;

/** Sends the headers that hooks have set, which a hijacked reply would drop. */
function writeHead(response: ServerResponse, headers: Headers): void {
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) response.setHeader(name, value);
  }
  response.writeHead(200);
}
