/** Why a mail was not sent: for the log and the mail's row, free of addresses and secrets. */
export type MailSendError =
  | 'dns'
  | 'connection'
  | 'tls'
  | 'timeout'
  | 'auth'
  | 'sender'
  | 'recipient'
  | 'message'
  | 'protocol'
  | 'unknown';

/**
 * The result of one attempt. `refused` is final, `deferred` is worth another attempt. `aborted`
 * means that this process shuts down: the attempt does not count, though the server may have
 * accepted the mail.
 */
export interface MailSendResult {
  outcome: 'sent' | 'refused' | 'deferred' | 'aborted';
  /** The server's last reply to this attempt (RFC 5321, section 4.2), if there was one. */
  replyCode: number | null;
  error: MailSendError | null;
  durationMs: number;
}

export type UntimedMailResult = Omit<MailSendResult, 'durationMs'>;

/** What nodemailer's errors say, besides texts of the server, which may contain addresses. */
interface SmtpFailure {
  code?: string;
  /** The code of the system's or OpenSSL's error behind it. */
  originalCode?: string;
  command?: string;
  responseCode?: number;
  /** Whether the reply is a 5xx about the mail, not about the session's state (503). */
  permanent?: boolean;
}

const errorsByCode: Record<string, MailSendError> = {
  EDNS: 'dns',
  ECONNECTION: 'connection',
  ETLS: 'tls',
  ETIMEDOUT: 'timeout',
  EAUTH: 'auth',
  EPROTOCOL: 'protocol',
  EMESSAGE: 'message',
};

/** Replies that demand a login or TLS, whatever the command was (RFC 4954, section 6). */
const loginReplies = new Set([530, 534, 535, 538]);

export function resultOfSmtpFailure(failure: unknown): UntimedMailResult {
  const { code = '', permanent = false, responseCode } = failure as SmtpFailure;
  const error = errorOf(failure as SmtpFailure);
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  return {
    outcome: isAboutMail && permanent && error !== 'auth' ? 'refused' : 'deferred',
    replyCode: knownReplyCode(responseCode),
    error,
  };
}

/** null for what no SMTP server replies (RFC 5321, section 4.2.1): it may be any number. */
export function knownReplyCode(code: number | undefined): number | null {
  return code !== undefined && code >= 200 && code <= 599 ? code : null;
}

function errorOf({ code = '', originalCode, command, responseCode }: SmtpFailure): MailSendError {
  if (responseCode !== undefined && loginReplies.has(responseCode)) return 'auth';
  // The server closes the connection, whatever the command was.
  if (responseCode === 421) return 'connection';
  if (code === 'EENVELOPE') {
    if (command === 'MAIL FROM') return 'sender';
    return command === 'DATA' ? 'message' : 'recipient';
  }
  // A failed handshake is a socket error; OpenSSL's codes share no prefix.
  if (code === 'ESOCKET') {
    return /CERT|SSL|TLS|EPROTO|SIGNATURE|ISSUER/.test(originalCode ?? '') ? 'tls' : 'connection';
  }
  // A server that demands something else than EHLO.
  if (code === 'ECONNECTION' && command === 'EHLO') return 'protocol';
  return errorsByCode[code] ?? 'unknown';
}
