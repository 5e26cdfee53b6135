import { sql } from 'kysely';
import type { Context } from '../../src/context.js';
import { sha256 } from '../../src/platform/keyring.js';
import { createCheckoutToken } from '../../src/platform/tokens.js';

/** What a browser keeps whose person has typed a right code for the booking. */
export async function provenBrowser(
  { database }: Pick<Context, 'database'>,
  bookingId: string,
): Promise<string> {
  const browser = createCheckoutToken();
  await sql`
    insert into mails (booking_id, kind, recipient, sequence, created_at, status, ended_at, lapses_at,
      browser_hash, opened_at)
    select id, 'code', 'person', sequence, now, 'sent', now, now, ${sha256(browser)}, now
    from bookings, booking_now() as now
    where id = ${bookingId}`.execute(database);
  return browser;
}
