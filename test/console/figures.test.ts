import t from 'tap';
import { Temporal } from 'temporal-polyfill';
import { signedIn } from '../support/console.js';
import { startService, type TestService } from '../support/service.js';

const names = {
  rest: 'Assistants, REST',
  mcp: 'Assistants, MCP',
  page: 'Our page',
  studio: 'Added by the studio',
};
const channels = ['rest', 'mcp', 'page', 'studio', null] as const;
const zone = 'America/Los_Angeles';
const dayMs = 86_400_000;

interface Placed {
  channel: (typeof channels)[number];
  platform: string | null;
  createdMs: number;
  /** From then to the session. */
  days: number;
  isConfirmed: boolean;
}

function mondayOf(now: number): Temporal.ZonedDateTime {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).startOfDay();
  return today.subtract({ days: today.dayOfWeek - 1 });
}

/** Holds over the last fifteen weeks, some of them minutes from the end of a week, without chance. */
function someHolds(now: number): Placed[] {
  return Array.from({ length: 400 }, (_, number) => {
    const channel = channels[(number * 7) % 5] ?? null;
    const monday = mondayOf(now).subtract({ weeks: number % 12 });
    const edge = monday.add({ minutes: number % 20 === 0 ? -1 : 1 }).epochMilliseconds;
    return {
      channel,
      platform: channel === 'mcp' && number % 3 === 0 ? 'claude' : null,
      createdMs: number % 10 === 0 ? edge : now - ((number * 37) % 105) * dayMs - 60_000,
      days: 1 + ((number * 13) % 40),
      isConfirmed: number % 3 !== 1,
    };
  }).filter(({ createdMs }) => createdMs < now);
}

async function insert({ context }: TestService, holds: Placed[]): Promise<void> {
  const rows = holds.map(({ channel, platform, createdMs, days, isConfirmed }, number) => {
    const [startsAt, expiresAt] = [
      new Date(createdMs + days * dayMs),
      new Date(createdMs + 900_000),
    ];
    return {
      status: 'cancelled' as const,
      date: startsAt.toISOString().slice(0, 10),
      time_slot: '9:00 AM' as const,
      starts_at: startsAt,
      starts_at_text: startsAt.toISOString(),
      timezone: zone,
      label: 'A session',
      created_at: new Date(createdMs),
      expires_at: expiresAt,
      confirmed_at: isConfirmed ? new Date(createdMs + 60_000) : null,
      cancelled_at: expiresAt,
      channel,
      platform,
      checkout_token_hash: Buffer.from(`hash ${number}`),
      checkout_token_sealed: Buffer.from(''),
    };
  });
  await context.database.insertInto('bookings').values(rows).execute();
}

/** The rows of the page, as they ought to be, counted one by one. */
function expectedRows(holds: Placed[], now: number): string[][] {
  return Array.from({ length: 12 }, (_, week) => mondayOf(now).subtract({ weeks: week })).flatMap(
    (first) => {
      const next = first.add({ weeks: 1 });
      const ofWeek = holds.filter(
        ({ createdMs: at }) => at >= first.epochMilliseconds && at < next.epochMilliseconds,
      );
      const last = next.subtract({ days: 1 });
      const short = (date: Temporal.ZonedDateTime) =>
        date.toPlainDate().toLocaleString('en-US', { month: 'short', day: 'numeric' });
      const end = first.month === last.month ? String(last.day) : short(last);
      const byName = new Map<string, Placed[]>();
      for (const each of ofWeek) {
        const plain = each.channel === null ? 'Not recorded' : names[each.channel];
        const name = each.platform === null ? plain : 'claude, MCP';
        byName.set(name, [...(byName.get(name) ?? []), each]);
      }
      const all: [string, Placed[]][] = [[`${short(first)} – ${end}`, ofWeek], ...byName];
      return all.map(([name, each]) => [name, ...numbers(each)]);
    },
  );
}

function numbers(holds: Placed[]): string[] {
  if (holds.length === 0) return ['0', '–', '–'];
  const days = holds.map((each) => each.days).sort((one, other) => one - other);
  const middle = (days.length - 1) / 2;
  const median = (days[Math.floor(middle)]! + days[Math.ceil(middle)]!) / 2;
  const confirmed = holds.filter(({ isConfirmed }) => isConfirmed).length;
  const share = Math.round((confirmed / holds.length) * 100);
  return [String(holds.length), `${share} %`, `${median.toFixed(1)} d`];
}

t.test('the figures of twelve weeks are those of a count by hand', async (t) => {
  const service = await startService(t);
  const ada = await signedIn(service);
  await ada.follow('Figures');
  t.equal(ada.path, '/console/figures');
  t.match(ada.texts('tbody'), Array(12).fill(/0\s*–\s*–/));

  const now = service.context.clock.now();
  const holds = someHolds(now);
  await insert(service, holds);
  await ada.follow('Figures');
  const rows = ada.$('tbody tr').toArray();
  const shown = rows.map((row) =>
    ada
      .$(row)
      .children()
      .map((_, cell) => ada.$(cell).text())
      .get(),
  );
  const inOrder = (each: string[][]) => each.map((row) => row.join(' | ')).sort();
  t.strictSame(inOrder(shown), inOrder(expectedRows(holds, now)));
});
