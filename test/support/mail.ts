import type { Test } from 'tap';
import type { SmtpSettings } from '../../src/config/validators.js';
import { createMailSender, type MailTimeouts, type OutgoingMail } from '../../src/mail/sender.js';
import { startSmtp, type SmtpOptions } from './smtp.js';

/** Such that only the deadline ends what a test stalls. */
export const mailTimeouts: MailTimeouts = {
  connectionSeconds: 20,
  greetingSeconds: 20,
  dnsSeconds: 20,
  silenceSeconds: 20,
  totalSeconds: 20,
};

export function outgoingMail(changes: Partial<OutgoingMail> = {}): OutgoingMail {
  return {
    messageId: '<4f1c@nightheron.example>',
    from: { name: 'Night Heron', address: 'booking@nightheron.example' },
    to: { name: 'Ada Park', address: 'ada@example.com' },
    replyTo: { name: 'Night Heron', address: 'hello@nightheron.example' },
    subject: 'Your session is booked',
    html: '<p>Your session is booked.</p>',
    text: 'Your session is booked.\n',
    calendar: null,
    date: new Date('2026-11-21T20:00:00Z'),
    ...changes,
  };
}

interface Options extends SmtpOptions {
  /** Replace the settings with which the sender reaches the server. */
  settings?: Partial<SmtpSettings>;
  timeouts?: Partial<MailTimeouts>;
}

/** Starts an SMTP server and a sender to it, until the test ends. */
export async function startMailSender(t: Test, { settings, timeouts, ...options }: Options = {}) {
  const smtp = await startSmtp(t, options);
  const sender = createMailSender(
    { ...smtp.settings, ...settings },
    { timeouts: { ...mailTimeouts, ...timeouts } },
  );
  t.teardown(() => sender.close());
  return { smtp, sender };
}
