import type { MailSettings } from '../../config/validators.js';
import { wereCodesUsedUp } from '../../domain/booking/code-budgets.js';
import { codesUsedUp } from '../../domain/studio/mail-admin.js';
import { missingSettings } from '../../domain/studio/mode.js';
import type { MailSendError, MailSendResult } from '../../mail/send-result.js';
import { createMailSender } from '../../mail/sender.js';
import { readMode } from '../../repositories/installation.js';
import { countMailProblems, listMailErrors } from '../../repositories/mail-admin.js';
import { failure, type Finding, ok, warning } from '../failure.js';
import type { Session } from '../session.js';
import { count } from '../text.js';

/**
 * Compares the settings with the mode of the installation, logs in to the mail server and counts overdue
 * and failed mails. The finding contains no address.
 */
export async function checkMail({ config, services }: Session): Promise<Finding> {
  const mode = await readMode(services.database);
  const lack = missingSettings(mode, config);
  if (lack !== null) return failure(lack.replaceAll('\n', ' '));
  if (config.mail === null) {
    return ok('Off: nobody is mailed until SMTP_URL and MAIL_FROM are set.');
  }
  const login = await checkMailLogin(config.mail);
  if (login.status !== 'ok') return login;
  const { overdue, failed } = await countMailProblems(services.database);
  const reasons = new Set((await listMailErrors(services.database)).map(mailFailureText));
  const state = mode.mail
    ? `On; confirming takes ${proofs[mode.confirmation]}.`
    : 'Off: nobody is mailed until the service starts with SMTP_URL and MAIL_FROM.';
  const problems = [
    overdue > 0 &&
      `${count(overdue, 'mail')} overdue: check that a process with ROLE=all or ROLE=worker runs.`,
    failed > 0 &&
      `${count(failed, 'mail')} failed within 7 days: see "studio mail list --status failed"; "studio mail dismiss --all" acknowledges them.`,
    reasons.size > 0 && `Of the latest attempts: ${[...reasons].join(' ')}`,
    (await wereCodesUsedUp({ config, database: services.database })) && codesUsedUp,
  ].filter((problem) => problem !== false);
  const found = problems.join(' ') || 'Connected to the mail server; no mail failed within 7 days.';
  return (problems.length === 0 && mode.mail ? ok : warning)(`${state} ${found}`);
}

/** Logs in to the mail server and sends nothing. */
export async function checkMailLogin({ smtp }: MailSettings): Promise<Finding> {
  const sender = createMailSender(smtp);
  const login = await sender.verify().finally(() => sender.close());
  return login.outcome === 'sent'
    ? ok('Connected to the mail server.')
    : failure(mailFailureText(login));
}

const proofs = { link: 'the link', code: 'a code' } as const;

/** The cause and the remedy of each error. */
const advice: Readonly<Record<MailSendError | 'render', string>> = {
  dns: 'DNS does not know the mail server: check the host in SMTP_URL.',
  connection:
    'The mail server cannot be reached, or closed the connection: check host and port in SMTP_URL, and whether a firewall blocks the port.',
  tls: 'No secure connection to the mail server is possible: use smtps:// with port 465 or smtp:// with port 587, and check the certificate of the server.',
  timeout:
    'The mail server did not answer in time: check host and port in SMTP_URL, and whether a firewall blocks the port.',
  auth: 'The mail server refuses the login: check user and password in SMTP_URL.',
  sender:
    'The mail server refuses the sender: check that the user in SMTP_URL may send as MAIL_FROM.',
  recipient: 'The mail server refuses the recipient: check the address.',
  message: 'The mail server refuses the content: see its log for the reason.',
  protocol: 'The server does not answer as a mail server: check host and port in SMTP_URL.',
  render: 'The mail could not be made: the log of the service has the reason.',
  unknown: 'The mail could not be sent, for an unknown reason: see the log of the mail server.',
};

/** Why a mail was not sent and what to check, as a sentence without addresses. */
export function mailFailureText({
  error,
  replyCode,
}: {
  error: string | null;
  replyCode: MailSendResult['replyCode'];
}): string {
  const reply = replyCode === null ? '' : ` The reply was ${replyCode}.`;
  const known = Object.entries(advice).find(([name]) => name === error);
  return `${known?.[1] ?? advice.unknown}${reply}`;
}
