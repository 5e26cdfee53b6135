import type { Availability } from '../../generated/schemas.js';
import type { Slot } from '../../src/schedule/slots.js';
import { holdRequest, type Slots } from './requests.js';

/** The BOOKING_HORIZON_DAYS of the services, at the most. */
const horizonDays = 730;

/** `YYYY-MM-DD`, in UTC. */
export function dateAhead(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** The first `count` slots that the service at `url` has open, from the day after tomorrow on. */
export async function openSlots<Count extends number>(
  url: string,
  count: Count,
): Promise<Slots<Count>> {
  const slots: Slot[] = [];
  for (let from = 2; slots.length < count; from += 32) {
    if (from > horizonDays) throw new Error(`only ${slots.length} slots are open`);
    const range = `from=${dateAhead(from)}&to=${dateAhead(from + 31)}`;
    const answer = await fetch(`${url}/api/public/availability?${range}`);
    const { data } = (await answer.json()) as { data: Availability };
    for (const day of data.days) {
      for (const { time_slot } of day.slots) slots.push({ date: day.date, timeSlot: time_slot });
    }
  }
  return slots.slice(0, count) as Slots<Count>;
}

/** Holds the slot, or the first that is open. Throws if it is not held. */
export async function postHold(url: string, slot?: Slot) {
  const body = holdRequest(slot ?? (await openSlots(url, 1))[0]);
  return create<{ id: string; checkout_url: string }>(url, 'holds', body);
}

/** Subscribes a receiver; to all events unless given. */
export function postWebhook(url: string, receiver: string, events?: string[]) {
  type Created = { id: string; signing_secret: string };
  return create<Created>(url, 'webhooks', { url: receiver, events });
}

async function create<Created>(url: string, what: string, body: object): Promise<Created> {
  const answer = await fetch(`${url}/api/public/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { data: Created }).data;
}
