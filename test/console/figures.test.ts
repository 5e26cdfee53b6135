import t from 'tap';
import { Temporal } from 'temporal-polyfill';
import { signedIn } from '../support/console.js';
import { startService } from '../support/service.js';

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
  t.match(ada.texts('tbody'), Array(12).fill(/0\s*–\s*–/));
  t.match(ada.text('main'), /Now: 0 held, 0 to come, and \d+ open in the next 31 days\./);

  await database.insertInto('bookings').values(holds.map(bookingOf)).execute();
  await ada.follow('Figures');
  const cellsOf = (week: number) =>
    ada
      .$(`tbody:nth-of-type(${week + 1}) tr`)
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
