import { createTransport } from 'nodemailer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { NamedAddress, SmtpSettings } from '../config/validators.js';
import type { RenderedMail } from './render.js';
import {
  knownReplyCode,
  resultOfSmtpFailure,
  type MailSendResult,
  type UntimedMailResult,
} from './send-result.js';

export interface OutgoingMail extends RenderedMail {
  /** The id with angle brackets: `<id@domain>`. */
  messageId: string;
  from: NamedAddress;
  to: NamedAddress;
  replyTo: NamedAddress | null;
  /** The same in every attempt, like `messageId`. */
  date: Date;
}

export interface MailSender {
  /** Sends one mail to its one recipient, without retries. Never rejects. */
  send(mail: OutgoingMail): Promise<MailSendResult>;
  /** Connects and logs in, but sends nothing; the outcome is 'sent' if both succeed. */
  verify(): Promise<MailSendResult>;
  /** Closes all connections; mails in flight end with the outcome 'aborted'. */
  close(): void;
}

export interface MailTimeouts {
  connectionSeconds: number;
  greetingSeconds: number;
  dnsSeconds: number;
  /** The longest time without a byte from the server. */
  silenceSeconds: number;
  /** The limit of one attempt, including the wait for a connection of the pool. */
  totalSeconds: number;
}

/** The longest time of an attempt, however slowly the server sends its replies. */
export const mailDeadlineSeconds = 60;

/** Connections of the pool; further mails wait for one. */
export const mailConnectionLimit = 5;

const defaultTimeouts: MailTimeouts = {
  connectionSeconds: 10,
  greetingSeconds: 10,
  dnsSeconds: 10,
  silenceSeconds: 30,
  totalSeconds: mailDeadlineSeconds,
};

/** Shorter than the idle timeouts of servers, so that none closes a connection just as it is reused. */
const idleSeconds = 20;

/** In code points; longer texts would make header lines over 998 octets (RFC 5322, section 2.1.1). */
const headerTextLimit = 250;

/**
 * Addresses that nodemailer leaves unchanged, except for the case of the domain: a dot-atom or a quoted
 * string, without angle brackets, at a domain name. In others it removes brackets and control
 * characters, or reads `1.2.3` as an IP address, and so sends to another recipient.
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
        const { response } = await transport.sendMail({ ...messageOf(mail), signal });
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

/** At a loopback address, STARTTLS is optional and the certificate is not verified. */
function connectionOptions(settings: SmtpSettings, timeouts: MailTimeouts) {
  const { host, port, implicitTls, isLoopback, credentials } = settings;
  return {
    // nodemailer asks the network's name server even for `localhost`, which is trusted without TLS.
    host: host.toLowerCase() === 'localhost' ? '127.0.0.1' : host,
    ...(port !== null && { port }),
    secure: implicitTls,
    requireTLS: !implicitTls && !isLoopback,
    // This is explicit, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
    tls: { rejectUnauthorized: !isLoopback },
    ...(credentials && {
      auth: { user: credentials.user, pass: credentials.password },
      // Without this, nodemailer skips a login that is not offered, and every mail is refused for good.
      forceAuth: true,
    }),
    logger: false,
    connectionTimeout: timeouts.connectionSeconds * 1000,
    greetingTimeout: timeouts.greetingSeconds * 1000,
    dnsTimeout: timeouts.dnsSeconds * 1000,
    socketTimeout: timeouts.silenceSeconds * 1000,
    // Sockets are closed at once, without a wait for the server.
    socketCloseTimeout: 0,
  };
}

/**
 * The message for nodemailer. The calendar is an alternative of text and HTML, without a file name.
 * Addresses are objects, so that nothing in a name is parsed as an address.
 */
function messageOf({ from, to, replyTo, calendar, ...mail }: OutgoingMail) {
  return {
    envelope: { from: { name: '', address: from.address }, to: { name: '', address: to.address } },
    from: headerAddress(from),
    to: headerAddress(to),
    // If Reply-To is missing or invalid, replies go to MAIL_FROM.
    ...(replyTo && sendableAddress.test(replyTo.address) && { replyTo: headerAddress(replyTo) }),
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

/** The name without characters that turn the direction of the address after it. */
function headerAddress({ name, address }: NamedAddress): NamedAddress {
  return { name: headerText(name.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')), address };
}

/** One line, without anything that mail programs decode as an encoded word (RFC 2047). */
function headerText(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replaceAll('=?', '= ?');
  return Array.from(line).slice(0, headerTextLimit).join('').trim();
}

/** Replaces nodemailer's `verify`, which cannot be aborted. */
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
