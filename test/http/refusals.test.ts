import { once } from 'node:events';
import type { Socket } from 'node:net';
import t from 'tap';
import { agent, charged } from '../support/agents.js';
import { standingClock } from '../support/clock.js';
import { startTestService } from '../support/service.js';
import { sendBytes } from '../support/wire.js';

const prefix = '/api/public';
const host = 'host: x\r\n';
const json = `${host}content-type: application/json\r\n`;
const text = `${host}content-type: text/plain\r\n`;
const twoKeys = `${json}idempotency-key: a\r\nidempotency-key: b\r\n`;
const foreign = `${json}origin: https://elsewhere.example\r\n`;
const long = 'x'.repeat(5_000);

/** One for each place in which a request under the prefix may be refused. */
const refusals: [name: string, status: number, line: string, fields: string, body?: string][] = [
  ['an unknown path', 404, `GET ${prefix}/nowhere`, host],
  ['the bare prefix', 404, `GET ${prefix}`, host],
  ['a bad escape', 404, `GET ${prefix}/%zz`, host],
  ['an escape that is no UTF-8', 404, `GET ${prefix}/bookings/%ff`, host],
  ['the same in absolute form', 404, `GET http://x${prefix}/bookings/%ff`, host],
  ['a bad escape in the query', 400, `GET ${prefix}/availability?from=%ff&to=%`, host],
  ['a long path', 414, `GET ${prefix}/${long}`, host],
  ['a long parameter', 414, `GET ${prefix}/bookings/${long}`, host],
  ['a long query', 414, `GET ${prefix}/studio?${long}`, host],
  ['a long address to write to', 414, `POST ${prefix}/holds?${long}`, host],
  ['no host', 400, `GET ${prefix}/studio`, ''],
  ['two hosts', 400, `GET ${prefix}/studio`, `${host}${host}`],
  ['two keys of one hold', 400, `POST ${prefix}/holds`, twoKeys],
  ['an unknown method', 405, `PUT ${prefix}/studio`, host],
  ['a method of WebDAV', 405, `PROPFIND ${prefix}/holds`, host],
  ['bad JSON', 400, `POST ${prefix}/holds`, json, '{'],
  ['bad JSON-RPC', 400, `POST ${prefix}/mcp`, json, '{'],
  ['another type', 415, `POST ${prefix}/webhooks`, text, 'x'],
  ['a large body', 413, `POST ${prefix}/agent-keys`, json, `"${'x'.repeat(70_000)}"`],
  ['a foreign page', 403, `POST ${prefix}/mcp`, foreign, '{}'],
  ['no token', 401, `GET ${prefix}/webhooks`, host],
];

void t.test(
  'every rejected request under the prefix costs one read, and its headers say so',
  async (t) => {
    const { app, url } = await startTestService(t, {}, { clock: standingClock() });
    app.server.requestTimeout = 1;
    let remaining = 60;
    for (const [name, status, line, fields, body = ''] of refusals) {
      const length = `content-length: ${body.length}\r\nconnection: close\r\n`;
      const { head } = await sendBytes(url, `${line} HTTP/1.1\r\n${fields}${length}\r\n${body}`);
      remaining -= 1;
      t.match(head, new RegExp(`^HTTP/1.1 ${status} `), name);
      t.match(head, /^ratelimit-policy: "reads";q=60;w=60$/m, name);
      t.match(head, new RegExp(`^ratelimit: "reads";r=${remaining};`, 'm'), name);
    }
    // The parser's answer to it names no budget; it is charged when the connection has ended.
    const accepted = once(app.server, 'connection') as Promise<[Socket]>;
    const ended = accepted.then(([connection]) => once(connection, 'close'));
    const late = `POST ${prefix}/holds HTTP/1.1\r\n${json}content-length: 9\r\n\r\n{`;
    t.equal((await sendBytes(url, late)).status, 408);
    await ended;
    const next = await agent(app, { address: '127.0.0.1' }).read();
    t.equal(charged(next), `reads ${remaining - 2}/60`, 'a body that does not arrive');
  },
);
