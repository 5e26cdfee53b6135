import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { Pool } from 'undici';
import { sendAll, type Call } from '../load.js';
import { toolCall } from '../probes/tools.js';
import { openSlots, placeHold } from '../slots.js';
import type { Cost, Subject } from './cost.js';

const callsPerRound = 3_000;
const connections = 16;
const day = 86_400_000;

/** The reads, by REST and as tools. */
export async function costsOfRequests({ service, meter, progress }: Subject): Promise<Cost[]> {
  const [slot] = await openSlots(service.url, 1);
  const { id } = await placeHold(service.url, slot!);
  const from = slot!.date;
  const to = new Date(Date.parse(from) + 30 * day).toISOString().slice(0, 10);
  const availability = `/api/public/availability?from=${from}&to=${to}`;
  const etag = (await fetch(service.url + availability)).headers.get('etag') ?? '';
  const read = (path: string, headers = {}): Call => ({ method: 'GET', path, headers });
  const calls: [string, Call][] = [
    ['GET /studio', read('/api/public/studio')],
    ['GET /availability, 31 days', read(availability)],
    ['GET /availability, not modified', read(availability, { 'if-none-match': etag })],
    ['GET /bookings/{id}', read(`/api/public/bookings/${id}`)],
    ...['2025-11-25', '2026-07-28'].map((revision): [string, Call] => [
      `tools/call list_open_times, 31 days, ${revision}`,
      toolCall({ from, to }, revision),
    ]),
  ];
  const pool = new Pool(service.url, { connections });
  const costs: Cost[] = [];
  for (const [what, call] of calls) {
    progress(what);
    const usage = await meter.measure(async () => {
      await sendAll(pool, Array<Call>(callsPerRound).fill(call), connections);
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
    headers: call.headers as Record<string, string>,
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
