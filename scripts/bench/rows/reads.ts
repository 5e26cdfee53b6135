import { postHold } from '../../../test/support/http-requests.js';
import { requestsPerProcessorSecond, requestsPerSecond } from '../load.js';
import { startProgram, startService, type Running } from '../processes.js';
import { comparedRow, measurePairs, type Measurement, type Probe } from '../row.js';
import { month } from '../slots.js';

const rounds = 5;
const seconds = 2;
const aims = [0.55, 0.55, 0.5];

/** The three reads, with limits and logging on, against a bare route that sends the same bytes. */
export const reads: Measurement = async ({ step, line }) => {
  const service = await startService();
  for (const [index, { what, url }] of (await readProbes(service)).entries()) {
    step(what);
    const answer = await fetch(url);
    const head: Record<string, string> = {};
    answer.headers.forEach((value, name) => (head[name] = value));
    const body = Buffer.from(await answer.arrayBuffer()).toString('base64');
    const baseline = await startProgram('bytes.ts', [JSON.stringify(head), body]);
    const measured = await measurePairs(
      rounds,
      () => requestsPerProcessorSecond(service, url, seconds),
      () => requestsPerProcessorSecond(baseline, baseline.url, seconds),
    );
    await baseline.stop();
    const named = `${what}: requests per second of processor time`;
    line(comparedRow(named, 'requests/s', 'bare Fastify', measured, { least: aims[index]! }));
  }
};

export interface ReadProbe extends Probe {
  url: string;
}

/** The three reads, in requests per second over 32 connections. */
export async function readProbes({ url }: Running): Promise<ReadProbe[]> {
  const booking = await postHold(url);
  const { from, to } = month();
  return [
    { what: 'GET /studio', path: '/studio' },
    { what: 'GET /availability, 31 days', path: `/availability?from=${from}&to=${to}` },
    { what: 'GET /bookings/{id}', path: `/bookings/${booking.id}` },
  ].map(({ what, path }) => {
    const address = `${url}/api/public${path}`;
    return {
      what,
      unit: 'requests/s',
      url: address,
      measure: () => requestsPerSecond(address, seconds),
    };
  });
}
