import { sql, type Kysely } from 'kysely';

/** Two more reasons for a disabled subscription: the studio's command, and a lost secret key. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table webhook_subscriptions
      drop constraint webhook_subscriptions_disabled_reason_check,
      add constraint webhook_subscriptions_disabled_reason_check check (disabled_reason in
        ('gone', 'never_succeeded', 'failing', 'studio', 'secret_lost'))`.execute(database);
}
