import { setTimeout as delay } from 'node:timers/promises';
import { slotName, type Load } from './load.js';
import { query } from '../support/embedded.js';
import { verify } from '../support/webhooks.js';
import type { BookingFacts, Evidence } from './audit.js';
import type { Installation } from './installation.js';

const looksAtBoards = 10;
const betweenLooksMs = 300;

/** Answers that a fault excuses: those of a good day, 503, and none at all. */
const excusable =
  /^(hold (201|409|503|cut off)|(status|read) (200|503|cut off)|confirm (303|503|cut off))$/;

/** Reads the rows, the boards and the log of the receiver, once all has settled. */
export async function collectEvidence(
  installation: Installation,
  load: Pick<Load, 'acknowledged' | 'answers'>,
  restless: string[],
): Promise<Evidence> {
  const { connectionString, subscriptions, receiver } = installation;
  const boards = await lookAtBoards(installation);
  const bookings = await readBookings(connectionString);
  const events = await query<Evidence['events'][number]>(
    connectionString,
    `select id, type, booking_id as "bookingId", dispatched_at is not null as "isDispatched"
     from events where booking_id is not null`,
  );
  const undelivered = await query<Evidence['undelivered'][number]>(
    connectionString,
    `select event_id as "eventId", subscription_id as "subscriptionId", status
     from webhook_deliveries where status <> 'delivered'`,
  );
  return {
    bookings,
    events,
    subscriptions,
    undelivered,
    received: receiver.requests.flatMap((request) => {
      const subscription = subscriptions.find(({ path }) => path === request.path);
      if (subscription === undefined) return [];
      verify({ ...subscription, manageToken: '' }, request);
      return [{ eventId: request.headers['webhook-id'] ?? '', subscriptionId: subscription.id }];
    }),
    acknowledged: load.acknowledged,
    boards,
    restless,
    wrongAnswers: [...load.answers].filter(([what]) => !excusable.test(what)),
  };
}

function readBookings(connectionString: string): Promise<BookingFacts[]> {
  const instant = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;
  return query<BookingFacts>(
    connectionString,
    `select id, status, date::text || ' ' || time_slot as slot,
       ${instant('created_at')} as "createdAt", ${instant('expires_at')} as "expiresAt",
       ${instant('confirmed_at')} as "confirmedAt", ${instant('cancelled_at')} as "cancelledAt"
     from bookings`,
  );
}

/**
 * What each process shows against what is open by the rows. A board may be late by milliseconds:
 * what differs is looked at again, and counts when it stays.
 */
async function lookAtBoards(installation: Installation): Promise<Evidence['boards']> {
  let boards: Evidence['boards'] = [];
  for (let look = 0; look < looksAtBoards; look += 1) {
    boards = await lookOnce(installation);
    const agree = boards.every(
      ({ shown, open }) => shown.size === open.size && [...shown].every((slot) => open.has(slot)),
    );
    if (agree) break;
    await delay(betweenLooksMs);
  }
  return boards;
}

async function lookOnce({
  connectionString,
  hosts,
  slots,
  probeSlots,
}: Installation): Promise<Evidence['boards']> {
  const all = [...probeSlots, ...slots];
  const taken = await query<{ slot: string }>(
    connectionString,
    `select date::text || ' ' || time_slot as slot from bookings
     where status = 'confirmed' or (status = 'pending' and expires_at > clock_timestamp())`,
  );
  const open = new Set(all.map(slotName));
  for (const { slot } of taken) open.delete(slot);
  const boards: Evidence['boards'] = [];
  for (const { name, url } of hosts) {
    if (name.startsWith('worker')) continue;
    const shown = new Set<string>();
    for (let day = all[0]!.date; day <= all.at(-1)!.date; day = plusDays(day, 32)) {
      const range = `from=${day}&to=${plusDays(day, 31)}`;
      const answer = await fetch(`${url}/api/public/availability?${range}`);
      const { data } = (await answer.json()) as {
        data: { days: { date: string; slots: { time_slot: string }[] }[] };
      };
      for (const { date, slots: ofDay } of data.days) {
        for (const { time_slot } of ofDay) shown.add(slotName({ date, time_slot }));
      }
    }
    const known = new Set(all.map(slotName));
    const shownOfKnown = new Set([...shown].filter((slot) => known.has(slot)));
    boards.push({ process: name, shown: shownOfKnown, open });
  }
  return boards;
}

function plusDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The number of unfinished holds, events and deliveries. */
export async function countUnsettled(connectionString: string): Promise<number> {
  const rows = await query<{ left: number }>(
    connectionString,
    `select ((select count(*) from bookings where status = 'pending')
       + (select count(*) from events where dispatched_at is null)
       + (select count(*) from webhook_deliveries where status = 'pending'))::integer as left`,
  );
  return rows[0]?.left ?? 0;
}

/** The longest time from the expiry of a hold to its event row. */
export async function latestExpirySeconds(connectionString: string): Promise<number> {
  const rows = await query<{ seconds: number | null }>(
    connectionString,
    `select max(extract(epoch from events.occurred_at - expires_at))::float8 as seconds
     from events join bookings on bookings.id = booking_id where type = 'hold.expired'`,
  );
  return rows[0]?.seconds ?? 0;
}
