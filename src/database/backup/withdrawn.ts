import type pg from 'pg';

/** A permission that the studio can take back after a backup, and that restoring the backup brings back. */
export interface Grant {
  kind: string;
  id: string;
  /** The label that the studio's lists show; never a person's data. */
  label: string;
}

/**
 * Whether a row is of no artist, or of one who is not hidden and has not left: hiding and leaving withdraw
 * it. Schemas before 3.1 lack columns of these.
 */
const isInForce = (table: string) => `not exists (
  select from artists, studio
  where artists.id = (to_jsonb(${table})->>'artist_id')::integer
    and (hidden_at is not null
      or (to_jsonb(artists)->>'last_day')::date < (booking_now() at time zone timezone)::date))`;

/** The queries of the grants in force, by table. */
const grantsByTable: Record<string, string> = {
  passkeys: `select 'passkey', id::text, name from passkeys where ${isInForce('passkeys')}`,
  calendar_feeds: `select 'calendar feed', id::text, label from calendar_feeds
    where ${isInForce('calendar_feeds')}`,
  platforms: `select 'platform', name, name from platforms`,
  api_keys: `select 'API key', id::text, id::text from api_keys where revoked_at is null`,
  webhook_subscriptions: `select 'webhook', id::text, target_host from webhook_subscriptions
    where disabled_at is null`,
  bookings: `select 'person', id::text, label from bookings where name is not null`,
};

/** Reads the grants in force, in any schema that has a backup. */
export async function listGrants(client: pg.Client): Promise<Grant[]> {
  const { rows: tables } = await client.query<{ relname: string }>(
    `select relname from pg_class
      where relkind = 'r' and relnamespace = current_schema()::regnamespace and relname = any ($1)`,
    [Object.keys(grantsByTable)],
  );
  const selects = tables.map(({ relname }) => grantsByTable[relname]);
  if (selects.length === 0) return [];
  const { rows } = await client.query<Grant>(
    `select * from (${selects.join(' union all ')}) as grants (kind, id, label) order by 1, 3`,
  );
  return rows;
}

/** The grants of `restored` that the replaced installation has no more. */
export function withdrawn(restored: readonly Grant[], current: readonly Grant[]): Grant[] {
  const key = ({ kind, id }: Grant) => `${kind} ${id}`;
  const keys = new Set(current.map(key));
  return restored.filter((grant) => !keys.has(key(grant)));
}
