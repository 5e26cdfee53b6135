import { sql, type Kysely } from 'kysely';

/** Two more reasons why nothing is sent to a subscription: the studio's wish, and a lost key. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`
    alter table webhook_subscriptions
      drop constraint webhook_subscriptions_disabled_reason_check,
      add constraint webhook_subscriptions_disabled_reason_check check (disabled_reason in
        ('gone', 'never_succeeded', 'failing', 'studio', 'secret_lost'))`.execute(database);
}
