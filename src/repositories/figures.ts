import { sql, type Kysely } from 'kysely';
import type { FigureChannel, MonthFigure } from '../database/rows/results.js';
import type { Database } from '../database/rows/schema.js';

export interface FigureRow {
  /** The Monday of the ISO week in which the holds were placed. */
  week: string;
  /** Whether this row is about all channels of the week. */
  isTotal: boolean;
  channel: FigureChannel | null;
  platform: string | null;
  /** All holds, whatever their outcome. */
  holds: number;
  /** Bookings that the studio added, which were never held. */
  added: number;
  /** How many holds were confirmed. */
  confirmed: number;
  /** Median, from the hold to the start of the session; null without holds. */
  leadDays: number | null;
}

/** The last weeks with holds, newest first: each in total, then by channel and platform. */
export async function readFigureRows(database: Kysely<Database>, timezone: string, weeks: number) {
  const { rows } = await sql<FigureRow>`
    with placed as (
      select date_trunc('week', created_at at time zone ${timezone})::date::text as week,
        case when channel in ('rest', 'mcp') then 'assistant' else channel end as channel, platform,
        channel is distinct from 'studio' as is_hold, confirmed_at is not null as is_confirmed,
        extract(epoch from starts_at - created_at) / 86400 as lead_days
      from bookings
      where created_at >= (
        select (date_trunc('week', booking_now() at time zone ${timezone})
          - make_interval(weeks => ${weeks - 1})) at time zone ${timezone})
    )
    select week, grouping(channel) = 1 as "isTotal", channel, platform,
      (count(*) filter (where is_hold))::integer as holds,
      (count(*) filter (where not is_hold))::integer as added,
      (count(*) filter (where is_hold and is_confirmed))::integer as confirmed,
      (percentile_cont(0.5) within group (order by lead_days) filter (where is_hold))::float8 as "leadDays"
    from placed
    group by grouping sets ((week), (week, channel, platform))
    order by week desc, "isTotal" desc, holds desc, channel, platform`.execute(database);
  return rows;
}

export interface MonthFigureRow extends Record<MonthFigure, number> {
  /** `2026-11`. */
  month: string;
  artistId: number;
}

/**
 * The figures of the months that begin at `from` and end before `until`, by month and artist. A booking
 * counts where its session is now, also once its personal data is erased.
 */
export async function readMonthFigureRows(database: Kysely<Database>, from: string, until: string) {
  const { rows } = await sql<MonthFigureRow>`
    with counted as (
      select to_char(date, 'YYYY-MM') as month, artist_id, status = 'confirmed' as is_session,
        case when channel in ('rest', 'mcp') then 'assistant' else channel end as channel,
        no_show_at is not null as is_missed, moved_at > confirmed_at as is_moved,
        extract(epoch from ends_at - starts_at) / 3600 as hours
      from bookings
      where date >= ${from} and date < ${until}
        and status in ('confirmed', 'cancelled') and confirmed_at is not null
    )
    select month, artist_id as "artistId",
      (count(*) filter (where is_session))::integer as sessions,
      coalesce(sum(hours) filter (where is_session), 0)::float8 as hours,
      (count(*) filter (where is_session and is_missed))::integer as no_shows,
      (count(*) filter (where not is_session))::integer as cancelled,
      (count(*) filter (where is_session and is_moved))::integer as moved,
      (count(*) filter (where is_session and channel = 'assistant'))::integer as assistant,
      (count(*) filter (where is_session and channel = 'page'))::integer as page,
      (count(*) filter (where is_session and channel = 'studio'))::integer as studio,
      (count(*) filter (where is_session and channel is null))::integer as not_recorded
    from counted
    group by month, artist_id`.execute(database);
  return rows;
}
