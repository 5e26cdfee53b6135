/** Why a mail was not sent, for the log and the mail's row: without addresses and secrets. */
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
 * The result of one attempt. `refused` is final; `deferred` is retried; `aborted` means that the sender
 * was closed: the attempt does not count, though the server may have accepted the mail.
 */
export interface MailSendResult {
  outcome: 'sent' | 'refused' | 'deferred' | 'aborted';
  /** The server's last reply to this attempt (RFC 5321, section 4.2), if there was one. */
  replyCode: number | null;
  error: MailSendError | null;
  durationMs: number;
}

export type UntimedMailResult = Omit<MailSendResult, 'durationMs'>;

/** The members of nodemailer's errors that contain no text of the server, and so no address. */
interface SmtpFailure {
  code?: string;
  /** The code of the underlying error of the system or of OpenSSL. */
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

/** Replies that require a login or TLS, whatever the command was (RFC 4954, section 6). */
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

/** null if the code is not one of SMTP (RFC 5321, section 4.2.1): a server may send any number. */
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
  // The server expects something other than EHLO.
  if (code === 'ECONNECTION' && command === 'EHLO') return 'protocol';
  return errorsByCode[code] ?? 'unknown';
}
