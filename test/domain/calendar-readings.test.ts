import t from 'tap';
import { resealCalendarAddresses } from '../../src/domain/studio/calendar-address.js';
import { explainSlots } from '../../src/domain/studio/days.js';
import {
  addWatchedCalendar,
  fetchWatchedCalendar,
} from '../../src/domain/studio/watched-calendars.js';
import { calendarErrorWords, calendarProblems } from '../../src/icalendar/calendar-reader.js';
import { listAuditRows } from '../../src/repositories/audit.js';
import { createKeyring } from '../../src/secrets/keyring.js';
import { close } from '../support/holds.js';
import { someOpenSlots } from '../support/requests.js';
import { secretKey } from '../support/service.js';
import {
  busyAt,
  busyDuring,
  calendarEvents,
  secretAddress,
  startWatching,
  watch,
} from '../support/watched-calendars.js';

const { context, reader, one, intervals } = await startWatching(t);

/** Reads the only calendar, which is now like this. */
async function readAs(...reading: Parameters<typeof busyAt>): Promise<void> {
  reader.find(busyAt(...reading));
  await fetchWatchedCalendar(context, (await one()).id);
}

async function tellings(): Promise<number> {
  const events = await calendarEvents(context);
  return events.filter(({ type }) => type === 'calendar.failing').length;
}

t.test('a calendar that cannot be read is not watched, unless that is wanted', async (t) => {
  reader.find({ outcome: 'failed', error: 'status', statusCode: 404 });
  const given = { address: secretAddress, label: null };
  t.match(await addWatchedCalendar(context, 'ada@desk', given), {
    outcome: 'unreadable',
    message: /no calendar at its address any more \(404\)/,
  });
  await t.rejects(one());
  const anyway = { ...given, evenIfUnreadable: true };
  t.match(await addWatchedCalendar(context, 'ada@desk', anyway), { outcome: 'added' });
  t.match(calendarProblems(await one()), ['It has never been read; it closes nothing.', /\(404\)/]);
});

t.test('the status of a failed fetch says whose turn it is', (t) => {
  for (const [status, words] of [
    [401, /asks for a sign-in \(401\)/],
    [403, /asks for a sign-in \(403\)/],
    [410, /no calendar at its address any more \(410\)/],
    [429, /read again in ten minutes/],
    [499, /unexpected status \(499\)\.$/],
    [500, /^Its server fails \(500\)\.$/],
    [503, /^Its server fails/],
    [null, /unexpected status\.$/],
  ] as const) {
    t.match(calendarErrorWords('status', status), words);
  }
  t.end();
});

t.test('what cannot be read is told at once, and again only after all could be', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  const busy = [busyDuring(slot!)];
  const lines = [
    { line: 14, reason: 'date' } as const,
    ...Array.from({ length: 6 }, (_, index) => ({ line: 20 + index, reason: 'zone' }) as const),
  ];
  const unreadable = { count: 9, lines };
  reader.find(busyAt(busy, null, { unreadable }));
  t.match(await watch(context), { busyIntervals: 1, unreadable });
  t.equal(await tellings(), 1);
  const [words = ''] = calendarProblems(await one());
  t.match(words, /^Cannot be read: line 14 \(a date or time\), line 20 .* and 4 more\. /);
  await readAs(busy, null, { unreadable: { count: 1, lines: lines.slice(0, 1) } });
  t.equal(await tellings(), 1, 'once');
  t.match(await one(), { unreadable: { count: 1 }, last_error: null });
  await readAs(busy);
  t.match(await one(), { unreadable: null, unreadable_told_at: null });
  t.strictSame(calendarProblems(await one()), []);
  await readAs(busy, null, { unreadable });
  t.equal(await tellings(), 2);
  await readAs(busy, null, { unreadable });
  reader.find({ outcome: 'unchanged' });
  await fetchWatchedCalendar(context, (await one()).id);
  t.match(await one(), { unreadable: { count: 9 } }, 'it is as it was');
});

t.test(
  'a calendar that lost all its events closes what it did until that is read again',
  async (t) => {
    const [slot] = await someOpenSlots(context, 1);
    const busy = [busyDuring(slot!)];
    const empty = [[], null, { hasEvents: false }] as const;
    reader.find(busyAt(...empty));
    await watch(context);
    t.match(await one(), { has_events: false, empty_since: null }, 'it never had any');
    await readAs(busy, '"full"');
    await readAs([], '"empty"', { hasEvents: false });
    t.equal((await intervals()).length, 1);
    t.match(await one(), { has_events: true, empty_since: Date, etag: '"empty"' });
    t.match(calendarProblems(await one()), [/^It was read without any event; its busy times stay/]);
    await readAs(busy);
    t.equal(reader.requests.at(-1)?.etag, null, 'it is read whole');
    t.match(await one(), { empty_since: null, busyIntervals: 1 });

    await readAs(...empty);
    await readAs(...empty);
    t.match(await one(), { has_events: false, empty_since: null, busyIntervals: 0 });
    await readAs(busy);
    await readAs([]);
    t.equal((await intervals()).length, 0, 'one that still has events is believed at once');
  },
);

t.test('an address is replaced where permanent redirects lead, within its domain', async (t) => {
  const addressOf = async () => {
    await fetchWatchedCalendar(context, (await one()).id);
    return reader.requests.at(-1)?.address;
  };
  await watch(context);
  for (const elsewhere of [
    'https://calendar.example.org/a.ics',
    'https://127.0.0.1/a.ics',
    'ftp://calendar.example.com/a.ics',
  ]) {
    await readAs([], null, { movedTo: elsewhere });
    t.equal(await addressOf(), secretAddress, elsewhere);
  }
  const moved = 'https://feeds.example.com/b.ics';
  await readAs([], null, { movedTo: moved });
  t.match(await one(), { host: 'feeds.example.com' });
  t.equal(await addressOf(), moved);
  t.match(await listAuditRows(context.database, 1), [
    { actor: 'service', action: 'calendar watch move', details: { calendar_id: String } },
  ]);
  t.match(await addWatchedCalendar(context, 'ada@desk', { address: secretAddress, label: null }), {
    outcome: 'exists',
    calendar: { host: 'feeds.example.com' },
  });

  const keyring = createKeyring('x'.repeat(32), secretKey);
  await resealCalendarAddresses({ ...context, keyring });
  const row = await context.database
    .selectFrom('watched_calendars')
    .select(['address_sealed', 'former_address_sealed'])
    .executeTakeFirstOrThrow();
  const opened = Object.values(row).map((sealed) => keyring.decrypt(sealed!, 'watched calendar'));
  t.strictSame(opened, [moved, secretAddress], 'the first one is kept');
});

t.test('everything that closes a slot is told', async (t) => {
  const [slot, other] = await someOpenSlots(context, 2);
  const { id } = await close(context, slot!.date, slot!.timeSlot);
  reader.find(busyAt([busyDuring(slot!)]));
  await watch(context, secretAddress, 'Ada');
  t.match(await explainSlots(context, [slot!, other!]), [
    {
      state: 'closed',
      isInWeek: true,
      closures: [{ id }],
      busy: [{ label: 'Ada', startsAt: Date, endsAt: Date }],
    },
    { state: 'open', closures: [], busy: [] },
  ]);
});
