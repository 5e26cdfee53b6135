import { createTransport } from 'nodemailer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { SmtpSettings } from '../config/validators.js';
import {
  knownReplyCode,
  resultOfSmtpFailure,
  type MailSendResult,
  type UntimedMailResult,
} from './send-result.js';

export interface Mailbox {
  name: string;
  address: string;
}

export interface OutgoingMail {
  /** With angle brackets: `<id@domain>`. */
  messageId: string;
  from: Mailbox;
  to: Mailbox;
  replyTo: Mailbox | null;
  subject: string;
  html: string;
  text: string;
  /** `method` must be that of `content`: Outlook ignores the calendar otherwise. */
  calendar: { method: 'REQUEST' | 'CANCEL'; content: string } | null;
  /** The instant of the change. It stays over retries, as `messageId` does. */
  date: Date;
}

export interface MailSender {
  /** Sends one mail to its one recipient, without retries. Never rejects. */
  send(mail: OutgoingMail): Promise<MailSendResult>;
  /** Connects and logs in, but sends nothing; the outcome is 'sent' if the server accepts mail. */
  verify(): Promise<MailSendResult>;
  /** Closes all connections; mails in flight end with the outcome 'aborted'. */
  close(): void;
}

export interface MailTimeouts {
  connectionSeconds: number;
  greetingSeconds: number;
  dnsSeconds: number;
  /** Without a byte from the server. */
  silenceSeconds: number;
  /** From the call to the end, including the wait for a connection. */
  totalSeconds: number;
}

/** No attempt takes longer, however slowly the server trickles its replies. */
export const mailDeadlineSeconds = 60;

/** More mails at once wait for a connection. */
export const mailConnectionLimit = 5;

const defaultTimeouts: MailTimeouts = {
  connectionSeconds: 10,
  greetingSeconds: 10,
  dnsSeconds: 10,
  silenceSeconds: 30,
  totalSeconds: mailDeadlineSeconds,
};

/** Less than servers wait, so that none closes the connection that the next mail is to take. */
const idleSeconds = 20;

/** Longer ones would make header lines over 998 octets (RFC 5322, section 2.1.1). */
const headerTextLimit = 250;

/**
 * Addresses that nodemailer sends as they are, but for the case of the domain: a dot-atom or a quoted
 * string, without angle brackets, at a domain name. It would remove brackets and control characters
 * from others, or take `1.2.3` for an IP address, which makes another recipient of it.
 */
const sendableAddress =
  /^(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+|"(?:[ !#-;=?-[\]-~]|\\[ -;=?-~])+")@(?:[A-Za-z0-9_-]+\.)*[A-Za-z][A-Za-z0-9-]*$/;

/** Sends mail by SMTP (RFC 5321), over a pool of connections. */
export function createMailSender(
  settings: SmtpSettings,
  { timeouts = defaultTimeouts }: { timeouts?: MailTimeouts } = {},
): MailSender {
  const connection = connectionOptions(settings, timeouts);
  const transport = createTransport({
    ...connection,
    pool: true,
    maxConnections: mailConnectionLimit,
    maxRequeues: 0,
    idleTimeout: idleSeconds * 1000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const inFlight = new Set<AbortController>();
  let isClosed = false;

  /** `work` rejects when the signal is aborted. */
  const attempt = async (
    work: (signal: AbortSignal) => Promise<UntimedMailResult>,
  ): Promise<MailSendResult> => {
    const startedAt = performance.now();
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), timeouts.totalSeconds * 1000);
    inFlight.add(controller);
    if (isClosed) controller.abort();
    const result = await work(controller.signal).catch((failure: unknown): UntimedMailResult => {
      if (!controller.signal.aborted) return resultOfSmtpFailure(failure);
      return isClosed
        ? { outcome: 'aborted', replyCode: null, error: null }
        : { outcome: 'deferred', replyCode: null, error: 'timeout' };
    });
    clearTimeout(timer);
    inFlight.delete(controller);
    return { ...result, durationMs: performance.now() - startedAt };
  };

  return {
    send: (mail) =>
      attempt(async (signal) => {
        if (!sendableAddress.test(mail.to.address)) {
          return { outcome: 'refused', replyCode: null, error: 'recipient' };
        }
        const { response } = await transport.sendMail({ ...composed(mail), signal });
        return {
          outcome: 'sent',
          replyCode: knownReplyCode(Number.parseInt(response)),
          error: null,
        };
      }),
    verify: () =>
      attempt(async (signal) => {
        await connectAndLogIn(connection, signal);
        return { outcome: 'sent', replyCode: null, error: null };
      }),
    close() {
      isClosed = true;
      for (const controller of inFlight) controller.abort();
      transport.close({ force: true });
    },
  };
}

/** For `smtp:`, TLS is demanded of all but a server of this machine, whose certificate is its own. */
function connectionOptions(settings: SmtpSettings, timeouts: MailTimeouts) {
  const { host, port, implicitTls, isLoopback, credentials } = settings;
  return {
    host,
    ...(port !== null && { port }),
    secure: implicitTls,
    requireTLS: !implicitTls && !isLoopback,
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
    tls: { rejectUnauthorized: !isLoopback },
    ...(credentials && {
      auth: { user: credentials.user, pass: credentials.password },
      // A server that offers no login would refuse every mail for good.
      forceAuth: true,
    }),
    logger: false,
    connectionTimeout: timeouts.connectionSeconds * 1000,
    greetingTimeout: timeouts.greetingSeconds * 1000,
    dnsTimeout: timeouts.dnsSeconds * 1000,
    socketTimeout: timeouts.silenceSeconds * 1000,
    // Connections are cut, without a wait for the server's end.
    socketCloseTimeout: 0,
  };
}

/**
 * The calendar is an alternative of text and HTML, without a file name. Mailboxes are objects, so that
 * nothing in a name is read as an address.
 */
function composed({ from, to, replyTo, calendar, ...mail }: OutgoingMail) {
  return {
    envelope: { from: { name: '', address: from.address }, to: { name: '', address: to.address } },
    from: mailbox(from),
    to: mailbox(to),
    // Without a valid one, replies go to the sender.
    ...(replyTo && sendableAddress.test(replyTo.address) && { replyTo: mailbox(replyTo) }),
    subject: headerText(mail.subject),
    messageId: mail.messageId,
    date: mail.date,
    headers: { 'Auto-Submitted': 'auto-generated' },
    text: mail.text,
    html: mail.html,
    alternatives: calendar
      ? [
          {
            contentType: `text/calendar; charset=utf-8; method=${calendar.method}`,
            content: calendar.content,
          },
        ]
      : [],
  };
}

function mailbox({ name, address }: Mailbox): Mailbox {
  return { name: headerText(name), address };
}

/** On one line, and with nothing that mail programs decode as an encoded word (RFC 2047). */
function headerText(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replaceAll('=?', '= ?');
  return Array.from(line).slice(0, headerTextLimit).join('').trim();
}

/** nodemailer's own `verify` has no deadline and cannot be cut. */
async function connectAndLogIn(
  options: ReturnType<typeof connectionOptions>,
  signal: AbortSignal,
): Promise<void> {
  const connection = new SMTPConnection(options);
  try {
    await new Promise<void>((resolve, reject) => {
      const done = (error?: Error | null): void => (error ? reject(error) : resolve());
      const abort = (): void => reject(new Error('aborted'));
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort, { once: true });
      connection.on('error', reject);
      connection.connect((error) => {
        if (error || !options.auth) done(error);
        else connection.login(options.auth, done);
      });
    });
  } finally {
    connection.close();
  }
}
