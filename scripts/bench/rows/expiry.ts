import { startTestRedis } from '../../../test/support/redis.js';
import { withDatabase } from '../database.js';
import { atEnd, startService, temporaryFolder, type RunningService } from '../processes.js';
import {
  measureInRounds,
  percentile,
  roundsRow,
  type Measurement,
  type Probe,
  type Report,
  type Row,
} from '../row.js';

const rounds = 3;
const aims = { PostgreSQL: 1_000, Redis: 250 };
const holds = 1_000;
/** Time from the insertion to the first expiry, in which the expiry jobs are queued. */
const leadSeconds = 4;

/** The lateness of expiry on both queue backends. */
export const expiry: Measurement = async (report) => {
  await measureOn('PostgreSQL', {}, report);
  const redis = await startTestRedis(await temporaryFolder());
  if (redis === null) return;
  atEnd(() => redis.stop());
  await measureOn('Redis', { REDIS_URL: redis.url }, report);
};

async function measureOn(
  backend: keyof typeof aims,
  changes: Record<string, string>,
  { step, line }: Report<Row>,
): Promise<void> {
  const service = await startService(changes);
  const { what, unit, measure } = expiryProbe(service);
  const named = `${what}, queues on ${backend}`;
  step(named);
  await measure();
  const [late = []] = await measureInRounds(rounds, [measure]);
  line(roundsRow(named, late, unit, aims[backend]));
  await service.stop();
}

/**
 * The 99th percentile of the lateness of expiry, for holds that lapse evenly within one second. They
 * are inserted by SQL with their event rows, on dates outside the bookable range.
 */
export function expiryProbe(service: RunningService): Probe {
  return {
    what: `${holds} holds lapse within one second, lateness p99`,
    unit: 'ms',
    measure: () =>
      withDatabase(service, async (database) => {
        const { rows } = await database.query<{ first: Date }>(insertHolds, [holds, leadSeconds]);
        for (;;) {
          const { rows: counted } = await database.query<{ late: number[] | null }>(lateness, [
            rows[0]?.first,
          ]);
          const late = counted[0]?.late ?? [];
          if (late.length === holds) return percentile(late, 0.99);
          await new Promise((resolve) => setTimeout(resolve, 250));
        }
      }),
  };
}

export const insertHolds = `
  with moment as (select booking_now() as now),
  held as (
    insert into bookings (
      date, time_slot, starts_at, starts_at_text, ends_at, ends_at_text, may_overlap, timezone, label,
      created_at, expires_at, checkout_token_hash, checkout_token_sealed
    )
    select date '2100-01-01' + number, '1:00 PM', now + interval '80 years',
      to_char(date '2100-01-01' + number, 'YYYY-MM-DD"T13:00:00-07:00"'),
      now + interval '80 years 4 hours',
      to_char(date '2100-01-01' + number, 'YYYY-MM-DD"T17:00:00-07:00"'), true, 'America/Phoenix',
      'A session', now,
      now + make_interval(secs => $2::float + number::float / $1),
      sha256(gen_random_uuid()::text::bytea), ''
    from moment, generate_series(1, $1::integer) as number
    returning *
  ),
  announced as (
    insert into events (type, booking_id, occurred_at, data)
    select 'hold.created', id, created_at, jsonb_build_object(
      'id', id, 'status', status, 'date', date, 'time_slot', time_slot,
      'starts_at_text', starts_at_text, 'timezone', timezone, 'label', label,
      'created_at', created_at, 'expires_at', expires_at,
      'confirmed_at', null, 'cancelled_at', null, 'expired_at', null)
    from held
  )
  select min(created_at) as first from held`;

export const lateness = `
  select array_agg((extract(epoch from events.occurred_at - bookings.expires_at) * 1000)::float)
    as late
  from events join bookings on bookings.id = events.booking_id
  where events.type = 'hold.expired' and bookings.created_at = $1
    and bookings.date >= date '2100-01-01'`;
