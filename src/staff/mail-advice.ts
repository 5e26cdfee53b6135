import type { MailSendError, MailSendResult } from '../mail/send-result.js';

/** What failed, and what to check. */
const advice: Record<MailSendError, string> = {
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
  unknown: 'The mail could not be sent, for an unknown reason: see the log of the mail server.',
};

/** Why a mail was not sent and what to check, as a sentence without addresses. */
export function mailFailureText({
  error,
  replyCode,
}: Pick<MailSendResult, 'error' | 'replyCode'>): string {
  const reply = replyCode === null ? '' : ` The reply was ${replyCode}.`;
  return `${advice[error ?? 'unknown']}${reply}`;
}
