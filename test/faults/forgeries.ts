import type { Evidence } from './audit.js';

/** Throws where there is no evidence: an auditor that has nothing to judge would find nothing. */
function some<Item>(items: readonly Item[], isMeant: (item: Item) => boolean = () => true): Item {
  const item = items.find(isMeant);
  if (item === undefined) throw new Error('the auditor has no evidence');
  return item;
}

function remove<Item>(items: Item[], isMeant: (item: Item) => boolean = () => true): void {
  items.splice(items.indexOf(some(items, isMeant)), 1);
}

/** What is wrong with a history, how to make a sound one wrong, and what the auditor must say. */
export const forgeries: [what: string, forge: (it: Evidence) => void, finding: RegExp][] = [
  [
    'a slot held twice at once',
    (it) => {
      const booking = some(it.bookings);
      it.bookings.push({ ...booking, createdAt: booking.createdAt + 1 });
    },
    / at once$/,
  ],
  [
    'a lost booking',
    ({ bookings, acknowledged }) => remove(bookings, ({ id }) => id === some(acknowledged.held).id),
    /was answered with 201 and is no row/,
  ],
  [
    'a hold that became another slot',
    (it) => (some(it.acknowledged.held).slot = 'other'),
    /was answered with 201 and is no row/,
  ],
  [
    'a lost confirmation',
    ({ bookings, acknowledged }) => {
      const id = some(acknowledged.confirmed);
      some(bookings, (booking) => booking.id === id).confirmedAt = null;
    },
    /was confirmed to its person and is not/,
  ],
  [
    'an event that was not dispatched',
    (it) => (some(it.events).isDispatched = false),
    /was never dispatched/,
  ],
  ['a missing event', (it) => remove(it.events), / has 0 events /],
  ['a doubled event', (it) => it.events.push({ ...some(it.events) }), / has 2 events /],
  [
    'a delivery that failed',
    (it) =>
      it.undelivered.push({ eventId: some(it.events).id, subscriptionId: '', status: 'failed' }),
    /is failed and not delivered/,
  ],
  [
    'a delivery that the receiver does not know of',
    (it) => {
      const { eventId } = some(it.received);
      it.received = it.received.filter((each) => each.eventId !== eventId);
    },
    /the receiver never got/,
  ],
  [
    'a mail that was not made',
    (it) => remove(it.mails, ({ recipient }) => recipient === 'person'),
    / has 0 mails to the person/,
  ],
  ['a mail that was not sent', (it) => (some(it.mails).status = 'pending'), /is pending/],
  [
    'a mail that did not arrive',
    (it) => (it.mailed = it.mailed.filter((each) => each !== it.mailed[0])),
    /arrived 0 times/,
  ],
  ['a mail that arrived twice', (it) => it.mailed.push(some(it.mailed)), /arrived [2-9] times/],
  [
    'a board that shows a taken slot as open',
    ({ boards }) => some(boards).shown.add('x'),
    / shows x as open/,
  ],
  [
    'a board that shows an open slot as taken',
    ({ boards }) => some(boards).shown.delete(some([...some(boards).open])),
    /as taken, and it is open/,
  ],
];
