import type { BookingClient, Hold, TimeSlot } from '../../src/client/client.js';
import { dateAhead } from '../../test/support/http-requests.js';
import type { Person } from './people.js';

/** The requests that an agent and its person send, over the public interface. */

export interface OpenTime {
  date: string;
  time_slot: TimeSlot;
}

/** The open times from today until `days` days ahead. */
export async function findOpenTimes(client: BookingClient, days: number): Promise<OpenTime[]> {
  const query = { from: dateAhead(0), to: dateAhead(days) };
  const { data } = await client.GET('/api/public/availability', { params: { query } });
  return (data?.data.days ?? []).flatMap(({ date: day, slots }) =>
    slots.map(({ time_slot }) => ({ date: day, time_slot })),
  );
}

/** Holds a time. Null if it is no longer open. */
export async function hold(
  client: BookingClient,
  time: OpenTime,
  person: Person,
): Promise<Hold | null> {
  const { data } = await client.POST('/api/public/holds', { body: { ...time, ...person } });
  return data?.data ?? null;
}

/** The person presses a button of the checkout page. */
export async function press(
  checkoutUrl: string,
  action: 'confirm' | 'release' | 'cancel' | 'send_code',
  fields: Record<string, string> = {},
): Promise<void> {
  await fetch(checkoutUrl, {
    method: 'POST',
    headers: { origin: new URL(checkoutUrl).origin },
    body: new URLSearchParams({ action, ...fields }),
    redirect: 'manual',
  });
}
