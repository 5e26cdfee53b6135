import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { Pool } from 'undici';
import { sendAll, type Call } from '../load.js';
import { toolCall } from '../rows/tools.js';
import { month } from '../slots.js';
import type { Cost, Subject } from './meter.js';

const callsPerRound = 3_000;
const connections = 16;

/** The reads, by REST and as tools. */
export async function costsOfRequests({ service, meter, step }: Subject): Promise<Cost[]> {
  const { from, to } = month();
  const availability = `/api/public/availability?from=${from}&to=${to}`;
  const etag = (await fetch(service.url + availability)).headers.get('etag') ?? '';
  const read = (path: string, headers = {}): Call => ({ method: 'GET', path, headers });
  const calls: [string, Call][] = [
    ['GET /availability, 31 days', read(availability)],
    ['GET /availability, not modified', read(availability, { 'if-none-match': etag })],
    ...['2025-11-25', '2026-07-28'].map((revision): [string, Call] => [
      `tools/call list_open_times, 31 days, ${revision}`,
      toolCall({ from, to }, revision),
    ]),
  ];
  const pool = new Pool(service.url, { connections });
  const costs: Cost[] = [];
  for (const [what, call] of calls) {
    step(what);
    const usage = await meter.measure(async () => {
      const status = what.endsWith('not modified') ? 304 : 200;
      await sendAll(pool, Array<Call>(callsPerRound).fill(call), connections, status);
      return callsPerRound;
    });
    costs.push({ what, ...usage, bytes: await bytesOf(service.url, call) });
  }
  await pool.close();
  return costs;
}

/** The bytes of one exchange on a connection of its own, as they are on the socket. */
export async function bytesOf(url: string, call: Call, status?: number): Promise<Cost['bytes']> {
  const sent = request(url + call.path, {
    agent: false,
    method: call.method,
    headers: call.headers,
  });
  sent.end(call.body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  if (status !== undefined && response.statusCode !== status) {
    throw new Error(`an example was answered with ${response.statusCode}, not ${status}`);
  }
  const { socket } = sent;
  response.resume();
  await once(response, 'end');
  return { in: socket!.bytesWritten, out: socket!.bytesRead };
}
