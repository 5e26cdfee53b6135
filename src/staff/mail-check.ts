import { createMailSender } from '../mail/sender.js';
import { countMailTrouble } from '../repositories/mail-admin.js';
import { readStudio } from '../repositories/studio-settings.js';
import type { Finding } from './finding.js';
import { mailFailureText } from './mail-advice.js';
import type { Session } from './session.js';
import { count } from './text.js';

/** Logs in to the mail server, and looks for mail that nobody got. Names no address. */
export async function checkMail({ config, services }: Session): Promise<Finding> {
  if (config.mail === null) {
    return { status: 'ok', message: 'Off: without SMTP_URL and MAIL_FROM, nobody is mailed.' };
  }
  const sender = createMailSender(config.mail.smtp);
  const reached = await sender.verify().finally(() => sender.close());
  if (reached.outcome !== 'sent') return { status: 'failure', message: mailFailureText(reached) };
  const { overdue, failed } = await countMailTrouble(services.database);
  const { email } = await readStudio(services.database);
  const problems = [
    overdue > 0 &&
      `${count(overdue, 'mail')} overdue: start a process with ROLE=all or ROLE=worker.`,
    failed > 0 &&
      `${count(failed, 'mail')} failed within 7 days: see "studio mail list --status failed".`,
    isReservedForExamples(email) &&
      'Replies go to the example\'s contact address: set the studio\'s own with "studio info set --email".',
  ].filter((problem) => problem !== false);
  return problems.length === 0
    ? { status: 'ok', message: 'The mail server accepts mail; none failed within 7 days.' }
    : { status: 'warning', message: problems.join(' ') };
}

/**
 * Whether nobody can have the address (RFC 2606, RFC 6761).
 * @internal
 */
export function isReservedForExamples(address: string): boolean {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  return /(^|\.)(example(\.(com|net|org))?|test|invalid|localhost)\.?$/.test(domain);
}
