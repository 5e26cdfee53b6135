import { setTimeout as delay } from 'node:timers/promises';
import { query } from '../support/embedded.js';
import { openSlots } from '../support/http-requests.js';
import { mailIdOf } from '../support/mail-audit.js';
import { verify } from '../support/webhooks.js';
import type { BookingFacts, Evidence } from './audit.js';
import type { Fault } from './fault.js';
import type { Installation } from './installation.js';
import { slotName, type Load } from './load.js';

const looksAtBoards = 10;
const betweenLooksMs = 300;

/** Answers that a fault excuses: those of a good day, 503, and none at all. */
const excusable =
  /^(hold (201|409|503|cut off)|(status|read) (200|503|cut off)|confirm (303|503|cut off))$/;

/** Reads the rows, the boards and the log of the receiver, once all has settled. */
export async function collectEvidence(
  { mayRepeatMails = false }: Fault,
  installation: Installation,
  load: Load,
  restless: string[],
): Promise<Evidence> {
  const { connectionString, subscriptions, receiver, smtp } = installation;
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
    mails: await query<Evidence['mails'][number]>(
      connectionString,
      `select id, booking_id as "bookingId", recipient, status from mails
       where kind = 'confirmation'`,
    ),
    mailed: smtp.received().map(mailIdOf),
    mayRepeatMails,
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
  for (let look = 1; ; look += 1) {
    const boards = await lookOnce(installation);
    const agree = boards.every(
      ({ shown, open }) => shown.size === open.size && [...shown].every((slot) => open.has(slot)),
    );
    if (agree || look === looksAtBoards) return boards;
    await delay(betweenLooksMs);
  }
}

async function lookOnce(installation: Installation): Promise<Evidence['boards']> {
  const { connectionString, hosts, slots, probeSlots } = installation;
  const known = new Set([...probeSlots, ...slots].map(slotName));
  const taken = await query<{ slot: string }>(
    connectionString,
    `select date::text || ' ' || time_slot as slot from bookings
     where status = 'confirmed' or (status = 'pending' and expires_at > clock_timestamp())`,
  );
  const open = new Set(known);
  for (const { slot } of taken) open.delete(slot);
  const boards: Evidence['boards'] = [];
  for (const { name, url } of hosts) {
    if (name.startsWith('worker')) continue;
    // The whole calendar without the taken slots; only the known ones count.
    const shown = (await openSlots(url, open.size)).map(slotName);
    boards.push({ process: name, shown: new Set(shown.filter((slot) => known.has(slot))), open });
  }
  return boards;
}

/** The number of unfinished holds, events, deliveries and mails. */
export async function countUnsettled(connectionString: string): Promise<number> {
  const rows = await query<{ left: number }>(
    connectionString,
    `select ((select count(*) from bookings where status = 'pending')
       + (select count(*) from events where dispatched_at is null)
       + (select count(*) from webhook_deliveries where status = 'pending')
       + (select count(*) from events_to_mail)
       + (select count(*) from mails where status = 'pending' and kind <> 'reminder')
     )::integer as left`,
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
