import type { DatabaseServices } from '../database/services.js';
import { recordAudit } from '../repositories/audit.js';
import { readMode } from '../repositories/installation.js';
import { lockMail, makeMailDue, type MailOverview } from '../repositories/mail-admin.js';
import { lockMails } from '../repositories/mail-dispatch.js';

/**
 * Why a mail cannot be sent again. `code`: it is sent only when the person asks for one. `pending`: it is
 * not sent yet. `forgotten`: the personal data of the booking is erased. `superseded`: a later change of
 * the booking made it pointless. `read`: the calendar was read since. `no_address`: the person gave no
 * address.
 */
export type ResendRefusal = 'code' | 'pending' | 'forgotten' | 'superseded' | 'read' | 'no_address';

export type ResendOutcome = 'resent' | 'not_found' | 'mail_off' | ResendRefusal;

/** Null for a mail that was sent, failed or dropped, and is still right. */
export function resendRefusal(mail: MailOverview): ResendRefusal | null {
  if (mail.kind === 'code') return 'code';
  if (mail.status === 'pending') return 'pending';
  if (mail.kind === 'calendar_failure') return mail.is_superseded ? 'read' : null;
  if (mail.booking_name === null) return 'forgotten';
  if (mail.is_superseded) return 'superseded';
  if (mail.recipient === 'person' && mail.booking_email === null) return 'no_address';
  return null;
}

/** Makes a mail due again. A running service sends it at once. */
export async function resendMail(
  { database }: Pick<DatabaseServices, 'database'>,
  actor: string,
  id: string,
): Promise<ResendOutcome> {
  return database.transaction().execute(async (transaction) => {
    await lockMails(transaction);
    if (!(await readMode(transaction)).mail) return 'mail_off';
    const mail = await lockMail(transaction, id);
    if (mail === null) return 'not_found';
    const refusal = resendRefusal(mail);
    if (refusal !== null) return refusal;
    await makeMailDue(transaction, id);
    await recordAudit(transaction, actor, 'mail resend', {
      mail_id: id,
      ...(mail.kind === 'calendar_failure'
        ? { calendar_id: mail.calendar_id }
        : { booking_id: mail.booking_id }),
    });
    return 'resent';
  });
}
