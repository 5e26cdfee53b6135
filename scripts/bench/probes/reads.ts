import { requestsPerSecond } from '../load.js';
import type { Running } from '../processes.js';
import type { Probe } from '../row.js';
import { openSlots, placeHold } from '../slots.js';

const seconds = 3;

export interface ReadProbe extends Probe {
  url: string;
}

/** The three reads, in requests per second over 32 connections. */
export async function readProbes({ url }: Running): Promise<ReadProbe[]> {
  const [slot] = await openSlots(url, 1);
  const booking = await placeHold(url, slot!);
  const from = slot!.date;
  const to = new Date(Date.parse(from) + 30 * 86_400_000).toISOString().slice(0, 10);
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
