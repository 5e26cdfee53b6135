import t from 'tap';
import { Temporal } from 'temporal-polyfill';
import { addArtists, insertBooking } from '../support/artists.js';
import { signedIn } from '../support/console.js';
import { startService } from '../support/service.js';
import { studioOn } from '../support/studio.js';

const zone = 'America/Los_Angeles';
const service = await startService(t);
const { clock, database } = service.context;
const today = Temporal.Instant.fromEpochMilliseconds(clock.now()).toZonedDateTimeISO(zone);
const monday = today.startOfDay().subtract({ days: today.dayOfWeek - 1 });

type Hold = [
  channel: 'rest' | 'mcp' | 'page' | 'studio' | null,
  placed: { weeks: number; minutes: number },
  daysBefore: number,
  outcome: 'confirmed' | 'lapsed',
  platform?: string,
];

/** `placed`: weeks ago, and minutes from the start of that week; negative: before it. */
const holds: Hold[] = [
  ['rest', { weeks: 0, minutes: 1 }, 1, 'confirmed'],
  ['rest', { weeks: 1, minutes: -1 }, 1, 'confirmed'],
  ['mcp', { weeks: 1, minutes: 1 }, 10, 'confirmed', 'claude'],
  ['mcp', { weeks: 1, minutes: 60 }, 2, 'lapsed', 'claude'],
  ['mcp', { weeks: 1, minutes: 60 }, 30, 'confirmed', 'claude'],
  ['mcp', { weeks: 1, minutes: 60 }, 3, 'lapsed'],
  ['mcp', { weeks: 1, minutes: 60 }, 4, 'lapsed'],
  ['page', { weeks: 0, minutes: -1 }, 5, 'confirmed'],
  ['studio', { weeks: 11, minutes: 1 }, 7, 'confirmed'],
  // Whose session was moved to before the hold.
  [null, { weeks: 11, minutes: 1 }, -0.04, 'confirmed'],
  ['rest', { weeks: 11, minutes: -1 }, 9, 'confirmed'],
];

function bookingOf([channel, { weeks, minutes }, days, outcome, platform]: Hold, index: number) {
  const createdMs = monday.subtract({ weeks }).add({ minutes }).epochMilliseconds;
  const startsAt = new Date(createdMs + days * 86_400_000);
  const expiresAt = new Date(createdMs + 900_000);
  return {
    status: 'cancelled' as const,
    date: startsAt.toISOString().slice(0, 10),
    time_slot: '9:00 AM' as const,
    starts_at: startsAt,
    starts_at_text: startsAt.toISOString(),
    ends_at: new Date(startsAt.getTime() + 4 * 3_600_000),
    ends_at_text: '',
    timezone: zone,
    label: 'A session',
    created_at: new Date(createdMs),
    expires_at: expiresAt,
    confirmed_at: outcome === 'confirmed' ? new Date(createdMs + 60_000) : null,
    cancelled_at: expiresAt,
    channel,
    platform: platform ?? null,
    checkout_token_hash: Buffer.from(`hash ${index}`),
    checkout_token_sealed: Buffer.from(''),
  };
}

t.test('holds are counted by week and channel, for twelve weeks', async (t) => {
  const ada = await signedIn(service);
  await ada.follow('Figures');
  t.equal(ada.path, '/console/figures');
  t.match(ada.texts('.weeks tbody'), Array(12).fill(/0\s*–\s*–/));
  t.match(ada.text('main'), /Now: 0 held, 0 to come, and \d+ open in the next 31 days\./);

  await database.insertInto('bookings').values(holds.map(bookingOf)).execute();
  await ada.follow('Figures');
  const cellsOf = (week: number) =>
    ada
      .$(`.weeks tbody:nth-of-type(${week + 1}) tr`)
      .toArray()
      .map((row) => [...ada.$(row).children()].map((cell) => ada.$(cell).text()).join(' | '));
  const name = (weeks: number) => {
    const [first, last] = [monday.subtract({ weeks }), monday.subtract({ weeks }).add({ days: 6 })];
    const words = ({ month, day }: Temporal.ZonedDateTime) =>
      `${new Date(2000, month - 1).toLocaleString('en-US', { month: 'short' })} ${day}`;
    return `${words(first)} – ${first.month === last.month ? last.day : words(last)}`;
  };
  t.strictSame(cellsOf(0), [`${name(0)} | 1 | 100 % | 1.0 d`, 'Assistants | 1 | 100 % | 1.0 d']);
  t.strictSame(cellsOf(1), [
    `${name(1)} | 6 | 50 % | 4.5 d`,
    'claude | 3 | 67 % | 10.0 d',
    'Assistants | 2 | 0 % | 3.5 d',
    'Our page | 1 | 100 % | 5.0 d',
  ]);
  t.strictSame(cellsOf(2), [`${name(2)} | 1 | 100 % | 1.0 d`, 'Assistants | 1 | 100 % | 1.0 d']);
  t.strictSame(cellsOf(5), [`${name(5)} | 0 | – | –`]);
  t.strictSame(cellsOf(11), [
    `${name(11)} | 1 | 100 % | 0.0 d`,
    'Not recorded | 1 | 100 % | 0.0 d',
    'Added by the studio | – | 1 | –',
  ]);
});

/** A session of January to April 2031; `changes`: columns that differ. */
type Session = [artistId: number, date: string, changes?: Record<string, unknown>];

const confirmed = new Date(clock.now());
const [earlier, later] = [-1, 1].map((ms) => new Date(confirmed.getTime() + ms));
const lapsed = new Date(confirmed.getTime() + 900_000);
/** Their persons are erased: rows without a name. */
const sessions: Session[] = [
  [1, '03-01', { channel: 'rest' }],
  [1, '03-31', { channel: 'mcp', no_show_at: new Date('2031-03-31T20:00Z') }],
  [1, '03-02', { channel: 'page', moved_at: later }],
  [1, '03-03', { channel: 'page', moved_at: earlier }],
  [1, '03-04', { channel: 'page', status: 'cancelled', cancelled_at: later }],
  // Neither a hold that was released or has lapsed, nor one that is pending, was a session.
  [1, '03-05', { channel: 'page', status: 'cancelled', cancelled_at: later, confirmed_at: null }],
  [1, '03-06', { status: 'expired', confirmed_at: null, expired_at: lapsed, expires_at: lapsed }],
  [1, '03-07', { status: 'pending', confirmed_at: null }],
  [1, '02-28', { channel: 'studio' }],
  [1, '01-31', { channel: 'page' }],
  [1, '04-01', { channel: 'page' }],
];

t.test('a month counts sessions by artist, beside the month before', async (t) => {
  const { context } = service;
  const place = async ([artistId, date, changes = {}]: Session) => {
    const slot = { date: `2031-${date}`, timeSlot: '9:00 AM' } as const;
    await insertBooking(context, slot, artistId, { confirmed_at: confirmed, ...changes });
  };
  for (const session of sessions) await place(session);
  const ada = await signedIn(service);
  const file = '/console/figures.csv?month=2031-03';
  await ada.open(file);
  const names = 'sessions,hours,no_shows,cancelled,moved,assistant,page,studio,not_recorded';
  const csv = (lines: string[]) => `\ufeff${lines.map((line) => `${line}\r\n`).join('')}`;
  const alone = ['2031-03,4,16,1,1,1,2,2,0,0', '2031-02,1,4,0,0,0,0,0,1,0'];
  t.equal(ada.answer.body, csv([`month,${names}`, ...alone]), 'one artist is not named');

  const [, jon] = await addArtists(context, 2);
  const ends = { starts_at: new Date('2031-03-08T17:00Z'), ends_at: new Date('2031-03-08T18:20Z') };
  await place([jon!.id, '03-08', { channel: null, ...ends }]);
  await ada.open(file);
  t.match(ada.answer.headers, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="figures-2031-03.csv"',
    'cache-control': 'no-store',
  });
  const lines = [
    `month,artist,${names}`,
    '2031-03,Mara,4,16,1,1,1,2,2,0,0',
    '2031-02,Mara,1,4,0,0,0,0,0,1,0',
    '2031-03,Jon,1,1.33,0,0,0,0,0,0,1',
    '2031-02,Jon,0,0,0,0,0,0,0,0,0',
    '2031-03,all,5,17.33,1,1,1,2,2,0,1',
    '2031-02,all,1,4,0,0,0,0,0,1,0',
  ];
  t.equal(ada.answer.body, csv(lines));

  await ada.open('/console/figures');
  const words = (at: Temporal.ZonedDateTime) =>
    at.toLocaleString('en-US', { month: 'long', year: 'numeric' });
  t.equal(ada.text('#month'), words(today), 'the present month');
  await ada.press('Show', { month: '2031-02' });
  await ada.follow('March 2031');
  t.equal(ada.path, '/console/figures?month=2031-03');
  const cells = ada.texts('#month ~ table tr');
  t.match(cells.slice(0, 4), [/^Figure/, 'Mara', 'Sessions41', 'Hours164']);
  t.match(cells.slice(-9), ['Sessions51', 'Hours17.334', 'No-shows10', 'Cancelled10', 'Moved10']);
  t.match(cells.slice(-4), ['Assistants20', 'Our page20', 'Added by the studio01', /recorded10$/]);

  const studio = studioOn(context);
  const printed = await studio('figures --month 2031-03 --csv');
  t.equal(printed.stdout.replaceAll('\n', '\r\n'), csv(lines).slice(1));
  const { stdout } = await studio('figures --month 2031-03');
  t.match(stdout, /^MONTH +ARTIST +SESSIONS .*\n2031-03 +Mara +4 +16 /);
  const data = (await studio('figures --month 2031-03 --json')).json<object[]>();
  t.match(data[2], { month: '2031-03', artist: { slug: 'jon' }, hours: 1.33, not_recorded: 1 });
  t.match(data[4], { artist: null, sessions: 5 });
  t.match(await studio('figures --month 2031-13'), { code: 2, stderr: /such as 2026-11/ });
});
