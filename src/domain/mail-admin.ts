import type { DatabaseServices } from '../database/services.js';
import { recordAudit } from '../repositories/audit.js';
import { lockMail, makeMailDue } from '../repositories/mail-admin.js';
import { lockMails } from '../repositories/mail-dispatch.js';

/**
 * `pending`: the mail is not sent yet. `superseded`: a later change of the booking made it pointless.
 * `forgotten`: the personal data of the booking is erased. `no_address`: the person gave no address.
 * `code`: it is sent only when the person asks for one.
 */
export type ResendOutcome =
  'resent' | 'not_found' | 'code' | 'pending' | 'superseded' | 'forgotten' | 'no_address';

/**
 * Makes a mail that was sent, failed or dropped due again. The caller adds a job for it; otherwise the
 * sweeper does so within 30 seconds.
 */
export async function resendMail(
  { database }: Pick<DatabaseServices, 'database'>,
  actor: string,
  id: string,
): Promise<ResendOutcome> {
  return database.transaction().execute(async (transaction) => {
    await lockMails(transaction);
    const mail = await lockMail(transaction, id);
    if (mail === null) return 'not_found';
    if (mail.kind === 'code') return 'code';
    if (mail.status === 'pending') return 'pending';
    if (mail.booking_name === null) return 'forgotten';
    if (mail.sequence < mail.booking_sequence) return 'superseded';
    if (mail.recipient === 'person' && mail.booking_email === null) return 'no_address';
    await makeMailDue(transaction, id);
    await recordAudit(transaction, actor, 'mail resend', {
      mail_id: id,
      booking_id: mail.booking_id,
    });
    return 'resent';
  });
}
