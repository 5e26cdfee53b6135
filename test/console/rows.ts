import { sql } from 'kysely';
import { createApiKey } from '../../src/access/api-keys.js';
import type { Context } from '../../src/context.js';
import { addPerson } from '../support/console.js';
import { insertMail } from '../support/mail-rows.js';
import { callerNumber, someOpenSlots } from '../support/requests.js';

const failed = { status: 'failed', last_error: 'timeout', last_reply_code: null } as const;

/** Rows for every page: bookings, a mail and a delivery that failed, an API key, 60 audited changes. */
export async function insertRows(context: Context) {
  const [one, two, three, ...free] = await someOpenSlots(context, 7);
  const cora = await addPerson({ context }, one!, { name: 'Cora', email: 'cora@example.com' });
  const mo = await addPerson({ context }, two!, { name: 'Mo' });
  const ada = await addPerson({ context }, three!, { name: 'Ada', email: 'ada@example.com' });
  const mail = await insertMail(context, ada.id, failed);
  await createApiKey(context, callerNumber(1), { email: `${'m'.repeat(50)}@example.com` });
  const { rows } = await sql<{ subscription_id: string }>`
    with subscribed as (
      insert into webhook_subscriptions (url, target_host, events, signing_secret_sealed,
        manage_token_hash, caller_hash, created_at)
      values ('https://hook.example/', 'hook.example', '{hold.created}', '', '', '', booking_now())
      returning id),
    told as (update events set webhook_body = '{}' returning id)
    insert into webhook_deliveries
      (event_id, subscription_id, status, attempts, last_attempt_at, last_error)
    select told.id, subscribed.id, 'failed', 1, booking_now(), 'timeout'
    from subscribed, told limit 1
    returning subscription_id`.execute(context.database);
  const desk = { occurred_at: new Date(0), actor: 'desk', action: 'mail resend', details: '{}' };
  await context.database.insertInto('audit_log').values(Array(60).fill(desk)).execute();
  return { cora, mo, mailId: mail.id, subscriptionId: rows[0]!.subscription_id, free };
}
