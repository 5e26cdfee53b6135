import t, { type Test } from 'tap';
import { startBackground, type Background } from '../../src/background.js';
import { changeStudio } from '../../src/domain/studio/settings.js';
import { createLogger } from '../../src/platform/log.js';
import { createPrometheusMetrics } from '../../src/platform/metrics/prometheus.js';
import { until } from '../support/embedded.js';
import { redisMissing, redisUrl } from '../support/redis.js';
import { someOpenSlots } from '../support/requests.js';
import { generous, startNeighbour, startService } from '../support/service.js';
import {
  anyHost,
  busyAt,
  busyDuring,
  calendarEvents,
  prepareReader,
  secretAddress,
  startWatching,
  turnMs,
  watch,
} from '../support/watched-calendars.js';

const hourMs = 3_600_000;

async function start(t: Test, environment: Record<string, string> = {}) {
  const service = await startWatching(t, environment);
  return {
    ...service,
    async withoutSweeper(): Promise<Background> {
      const background = await service.startBackground();
      await background.sweeper.stop();
      return background;
    },
  };
}

for (const [name, skip] of [
  ['PostgreSQL', false],
  ['Redis', redisMissing],
] as const) {
  void t.test(
    `with jobs on ${name}, what is due is fetched by the schedule, and after a change of the time zone, without the sweeper`,
    { skip },
    async (t) => {
      const store = name === 'Redis' ? { REDIS_URL: await redisUrl(t) } : {};
      const { context, reader, pass, one, withoutSweeper } = await start(t, store);
      await watch(context);
      await pass(turnMs);
      await withoutSweeper();
      await until(async () => (await one()).claimed_until === null && reader.requests.length === 2);
      await changeStudio(context, 'ada@desk', { timezone: 'Europe/Berlin' });
      await until(() => reader.requests.length === 3);
      t.equal(reader.requests[2]!.timezone, 'Europe/Berlin');
      await until(async () => (await one()).claimed_until === null);
    },
  );
}

void t.test('the sweeper has overdue calendars fetched, and tells of failures', async (t) => {
  const { context, reader, pass, one, startBackground } = await start(t);
  await watch(context);
  const { sweeper } = await startBackground();
  reader.find({ outcome: 'failed', error: 'timeout', statusCode: null });
  await pass(turnMs + 61_000);
  await sweeper.sweep();
  await until(async () => (await one()).last_error === 'timeout');
  // Nothing is due after two hours, but the studio's notification.
  const later = { next_fetch_at: new Date(context.clock.now() + 9 * hourMs) };
  await context.database.updateTable('watched_calendars').set(later).execute();
  await pass(turnMs + 62_000 + 2 * hourMs);
  await sweeper.sweep();
  await sweeper.sweep();
  t.strictSame(
    (await calendarEvents(context)).filter(({ type }) => type === 'calendar.failing'),
    [{ type: 'calendar.failing', data: { calendar_id: (await one()).id } }],
  );
  t.equal(reader.requests.length, 2);
});

void t.test('a stop ends what is being read, and the next process reads it', async (t) => {
  const { context, reader, pass, one, withoutSweeper } = await start(t);
  const [slot] = await someOpenSlots(context, 1);
  await watch(context);
  reader.hangUp();
  await pass(turnMs);
  const background = await withoutSweeper();
  await until(() => reader.requests.length === 2);
  await background.stop();
  t.match(await one(), { claimed_until: null, last_error: null });

  const next = prepareReader();
  next.find(busyAt([busyDuring(slot!)]));
  const other = await startNeighbour(t, context, { calendarReader: next });
  // As a restart some time later.
  await pass(turnMs + 62_000);
  const restarted = await startBackground(other);
  t.teardown(() => restarted.stop());
  await until(async () => (await one()).busyIntervals === 1);
  t.equal(next.requests.length, 1);
});

void t.test(
  'metrics count fetches by outcome, and calendars that fail for two hours',
  async (t) => {
    const metrics = createPrometheusMetrics(createLogger('silent'));
    const reader = prepareReader();
    const { context, startBackground } = await startService(
      t,
      { ...generous, ...anyHost },
      { overrides: { metrics, calendarReader: reader } },
    );
    reader.find({ outcome: 'failed', error: 'timeout', statusCode: null });
    const { id } = await watch(context);
    reader.find({ outcome: 'unchanged' });
    await watch(context, `${secretAddress}2`);
    await startBackground();
    const has = async (line: string) => (await metrics.text()).split('\n').includes(line);
    t.ok(await has('booking_calendar_fetches_total{outcome="timeout"} 1'));
    t.ok(await has('booking_calendar_fetches_total{outcome="unchanged"} 1'));
    t.ok(await has('booking_calendars_failing 0'));
    // This clock may be milliseconds ahead of the database's.
    const since = { failing_since: new Date(context.clock.now() - 2 * hourMs - 1_000) };
    await context.database
      .updateTable('watched_calendars')
      .set(since)
      .where('id', '=', id)
      .execute();
    t.ok(await has('booking_calendars_failing 1'));
    t.notMatch(await metrics.text(), /example\.com/);
  },
);
