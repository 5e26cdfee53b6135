import t from 'tap';
import { Temporal } from 'temporal-polyfill';
import { section } from '../support/console-presses.js';
import { openConsole, startConsole } from '../support/console.js';
import { accessibilityViolations, expectFits, type Pages } from '../support/pages.js';

const channels = ['rest', 'mcp', 'page', 'studio', null] as const;
const zone = 'America/Los_Angeles';
const dayMs = 86_400_000;

interface Placed {
  channel: (typeof channels)[number];
  platform: string | null;
  createdAt: Date;
  startsAt: Date;
  isConfirmed: boolean;
}

/** Holds over the last fifteen weeks, some of them minutes from the end of a week, without chance. */
function someHolds(now: number): Placed[] {
  const monday = Temporal.Instant.fromEpochMilliseconds(now)
    .toZonedDateTimeISO(zone)
    .with({ hour: 0, minute: 0, second: 0, millisecond: 0 });
  const weekStart = monday.subtract({ days: monday.dayOfWeek - 1 });
  return Array.from({ length: 400 }, (_, number) => {
    const channel = channels[(number * 7) % 5] ?? null;
    const created =
      number % 10 === 0
        ? weekStart.subtract({ weeks: number % 12 }).add({ minutes: number % 20 === 0 ? -1 : 1 })
        : Temporal.Instant.fromEpochMilliseconds(now - ((number * 37) % 105) * dayMs - 60_000);
    const createdAt = new Date(created.epochMilliseconds);
    return {
      channel,
      platform: channel === 'mcp' && number % 3 === 0 ? 'claude' : null,
      createdAt,
      startsAt: new Date(createdAt.getTime() + (1 + ((number * 13) % 40)) * dayMs),
      isConfirmed: number % 3 !== 1,
    };
  }).filter(({ createdAt }) => createdAt.getTime() < now);
}

async function insert({ service: { context } }: Pages, holds: Placed[]): Promise<void> {
  const text = (at: Date) => at.toISOString();
  await context.database
    .insertInto('bookings')
    .values(
      holds.map(({ channel, platform, createdAt, startsAt, isConfirmed }, number) => {
        const expiresAt = new Date(createdAt.getTime() + 900_000);
        return {
          status: 'cancelled' as const,
          date: text(startsAt).slice(0, 10),
          time_slot: '9:00 AM' as const,
          starts_at: startsAt,
          starts_at_text: text(startsAt),
          timezone: zone,
          label: 'A session',
          created_at: createdAt,
          expires_at: expiresAt,
          confirmed_at: isConfirmed ? new Date(createdAt.getTime() + 60_000) : null,
          cancelled_at: expiresAt,
          channel,
          platform,
          checkout_token_hash: Buffer.from(`hash ${number}`),
          checkout_token_sealed: Buffer.from(''),
        };
      }),
    )
    .execute();
}

/** The rows of the page, as they ought to be, counted one by one. */
function expectedRows(holds: Placed[], now: number): string[][] {
  const names = {
    rest: 'Assistants, REST',
    mcp: 'Assistants, MCP',
    page: 'Our page',
    studio: 'Added by the studio',
  };
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate();
  const monday = today.subtract({ days: today.dayOfWeek - 1 });
  const rows: string[][] = [];
  for (let week = 0; week < 12; week += 1) {
    const [first, next] = [monday.subtract({ weeks: week }), monday.subtract({ weeks: week - 1 })];
    const last = next.subtract({ days: 1 });
    const ofWeek = holds.filter(({ createdAt }) => {
      const date = Temporal.Instant.fromEpochMilliseconds(createdAt.getTime())
        .toZonedDateTimeISO(zone)
        .toPlainDate();
      return (
        Temporal.PlainDate.compare(date, first) >= 0 && Temporal.PlainDate.compare(date, next) < 0
      );
    });
    const short = (date: Temporal.PlainDate) =>
      date.toLocaleString('en-US', { month: 'short', day: 'numeric' });
    const end = first.month === last.month ? String(last.day) : short(last);
    rows.push([`${short(first)} – ${end}`, ...numbers(ofWeek)]);
    const byName = new Map<string, Placed[]>();
    for (const each of ofWeek) {
      const name = each.channel === null ? 'Not recorded' : names[each.channel];
      const full = each.platform === null ? name : 'claude, MCP';
      byName.set(full, [...(byName.get(full) ?? []), each]);
    }
    rows.push(...[...byName].map(([name, each]) => [name, ...numbers(each)]));
  }
  return rows;
}

function numbers(holds: Placed[]): string[] {
  if (holds.length === 0) return ['0', '–', '–'];
  const days = holds
    .map(({ createdAt, startsAt }) => (startsAt.getTime() - createdAt.getTime()) / dayMs)
    .sort((one, other) => one - other);
  const middle = (days.length - 1) / 2;
  const median = ((days[Math.floor(middle)] ?? 0) + (days[Math.ceil(middle)] ?? 0)) / 2;
  const confirmed = holds.filter(({ isConfirmed }) => isConfirmed).length;
  return [
    String(holds.length),
    `${Math.round((confirmed / holds.length) * 100)} %`,
    `${median.toFixed(1)} d`,
  ];
}

t.test('the figures of twelve weeks are those of a count by hand', async (t) => {
  const opened = await startConsole(t);
  if (opened === null) return;
  const { pages, page } = opened;
  await section(page, 'Figures').click();
  await page.waitForURL('**/console/figures');
  t.match(await page.locator('tbody').allInnerTexts(), Array(12).fill(/0\s+–\s+–/));

  const now = pages.service.context.clock.now();
  const holds = someHolds(now);
  await insert(pages, holds);
  await page.reload();
  const shown = await page
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')),
    );
  const inOrder = (rows: string[][]) => rows.map((row) => row.join(' | ')).sort();
  t.strictSame(inOrder(shown), inOrder(expectedRows(holds, now)));
  t.strictSame(await accessibilityViolations(page), []);

  const phone = await openConsole(t, pages, {
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  });
  await section(phone, 'Figures').click();
  await expectFits(t, phone);
});
