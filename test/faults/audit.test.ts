import t from 'tap';
import { audit, type BookingFacts, type Evidence } from './audit.js';

const booking: BookingFacts = {
  id: 'a',
  slot: '2026-12-01 1:00 PM',
  status: 'expired',
  createdAt: 1_000,
  expiresAt: 2_000,
  confirmedAt: null,
  cancelledAt: null,
};
const next = { ...booking, id: 'b', status: 'confirmed', createdAt: 2_000, confirmedAt: 2_500 };

/** A sound history: a hold that expired, and one of the same slot that was confirmed after it. */
function sound(): Evidence {
  const event = (id: string, type: string, bookingId: string) => ({
    id,
    type,
    bookingId,
    isDispatched: true,
  });
  const events = [
    event('1', 'hold.created', 'a'),
    event('2', 'hold.expired', 'a'),
    event('3', 'hold.created', 'b'),
    event('4', 'booking.confirmed', 'b'),
  ];
  return {
    bookings: [booking, next],
    events,
    subscriptions: [
      { id: 'all', events: ['hold.created', 'booking.confirmed', 'hold.expired'] },
      { id: 'some', events: ['hold.expired'] },
    ],
    undelivered: [],
    received: [
      ...['1', '2', '3', '4', '4'].map((eventId) => ({ eventId, subscriptionId: 'all' })),
      { eventId: '2', subscriptionId: 'some' },
    ],
    acknowledged: {
      held: [
        { id: 'a', slot: booking.slot },
        { id: 'b', slot: booking.slot },
      ],
      confirmed: ['b'],
    },
    boards: [{ process: 'api 1', shown: new Set(['x']), open: new Set(['x']) }],
    restless: [],
    wrongAnswers: [],
  };
}

void t.test('the auditor finds nothing in a sound history', async (t) => {
  t.strictSame(audit(sound()), []);
});

const wrongs: [title: string, spoil: (evidence: Evidence) => void, finding: RegExp][] = [
  [
    'a slot that was held twice at once',
    (it) => (it.bookings = [booking, { ...next, createdAt: 1_999 }]),
    /held by a and b at once/,
  ],
  ['a booking that was lost', (it) => (it.bookings = [next]), /hold a was answered with 201/],
  [
    'a hold that became another slot',
    (it) => (it.acknowledged.held = [{ id: 'a', slot: 'other' }]),
    /hold a was answered with 201/,
  ],
  [
    'a confirmation that was lost',
    (it) => it.acknowledged.confirmed.push('a'),
    /a was confirmed to its person/,
  ],
  [
    'an event that was not dispatched',
    (it) => (it.events[1]!.isDispatched = false),
    /event 2 \(hold\.expired\) was never dispatched/,
  ],
  ['an event that is missing', (it) => it.events.pop(), /b \(confirmed\) has 0 events booking/],
  [
    'an event that is there twice',
    (it) => it.events.push({ ...it.events[0]! }),
    /a \(expired\) has 2 events hold\.created/,
  ],
  [
    'a delivery that did not end well',
    (it) => it.undelivered.push({ eventId: '1', subscriptionId: 'all', status: 'failed' }),
    /delivery of 1 is failed/,
  ],
  [
    'a delivery that the receiver does not know of',
    (it) => it.received.pop(),
    /never got 2 \(hold\.expired\)/,
  ],
  [
    'a board that shows a taken slot as open',
    (it) => it.boards[0]!.open.clear(),
    /api 1 shows x as open/,
  ],
  [
    'a board that shows an open slot as taken',
    (it) => it.boards[0]!.shown.clear(),
    /api 1 shows x as taken/,
  ],
  ['a process in a crash loop', (it) => it.restless.push('worker ended twice'), /worker ended/],
  ['an answer without excuse', (it) => it.wrongAnswers.push(['hold: 500', 3]), /3 × hold: 500/],
];

for (const [title, spoil, finding] of wrongs) {
  void t.test(`the auditor finds ${title}`, async (t) => {
    const evidence = sound();
    spoil(evidence);
    const findings = audit(evidence);
    t.equal(findings.length, 1, findings.join('; '));
    t.match(findings[0], finding);
  });
}
