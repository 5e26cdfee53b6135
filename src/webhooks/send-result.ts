import { errors, type Dispatcher } from 'undici';
import { parseRetryAfterSeconds } from './retry-after.js';

/** Why an attempt failed: for the log and the delivery row, free of addresses and secrets. */
export type SendError =
  | 'target_refused'
  | 'dns_failed'
  | 'connect_timeout'
  | 'connection_refused'
  | 'connection_lost'
  | 'tls_failed'
  | 'timeout'
  | 'bad_answer'
  | 'redirect'
  | 'status'
  | 'network';

/**
 * The result of one attempt. `aborted` means that this process shuts down: the attempt does not
 * count, though the receiver may have got it.
 */
export interface SendResult {
  outcome: 'delivered' | 'failed' | 'aborted';
  statusCode: number | null;
  /** From a 429 or 503, otherwise null. */
  retryAfterSeconds: number | null;
  error: SendError | null;
  durationMs: number;
}

export type UntimedResult = Omit<SendResult, 'durationMs'>;

export class SendTimeoutError extends Error {}
export class ShutdownError extends Error {}

/** `now` is in milliseconds since the epoch. */
export function resultOfResponse(
  { statusCode, headers }: Dispatcher.ResponseData,
  now: number,
): UntimedResult {
  if (statusCode >= 200 && statusCode < 300) {
    return { outcome: 'delivered', statusCode, retryAfterSeconds: null, error: null };
  }
  const retryAfter = headers['retry-after'];
  const mayPostpone = statusCode === 429 || statusCode === 503;
  return {
    outcome: 'failed',
    statusCode,
    retryAfterSeconds:
      mayPostpone && typeof retryAfter === 'string'
        ? parseRetryAfterSeconds(retryAfter, now)
        : null,
    error: statusCode >= 300 && statusCode < 400 ? 'redirect' : 'status',
  };
}

export function resultOfFailure(error: unknown): UntimedResult {
  const isShutdown = error instanceof ShutdownError || error instanceof errors.ClientDestroyedError;
  return {
    outcome: isShutdown ? 'aborted' : 'failed',
    statusCode: null,
    retryAfterSeconds: null,
    error: isShutdown ? null : sendErrorOf(error),
  };
}

const errorsByCode: Record<string, SendError> = {
  TARGET_REFUSED: 'target_refused',
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'connection_refused',
  ENETUNREACH: 'connection_refused',
  ECONNRESET: 'connection_lost',
  EPIPE: 'connection_lost',
  UND_ERR_SOCKET: 'connection_lost',
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  ETIMEDOUT: 'connect_timeout',
  ENOTFOUND: 'dns_failed',
  ENODATA: 'dns_failed',
  EAI_AGAIN: 'dns_failed',
  ESERVFAIL: 'dns_failed',
  EREFUSED: 'dns_failed',
  ETIMEOUT: 'dns_failed',
  UND_ERR_HEADERS_OVERFLOW: 'bad_answer',
};

function sendErrorOf(error: unknown): SendError {
  if (error instanceof SendTimeoutError) return 'timeout';
  if (error instanceof errors.HTTPParserError) return 'bad_answer';
  const { code = '' } = error as NodeJS.ErrnoException;
  const known = errorsByCode[code];
  if (known) return known;
  // OpenSSL's codes for certificates and for the handshake share no prefix.
  return /CERT|SSL|TLS|EPROTO|SIGNATURE|ISSUER/.test(code) ? 'tls_failed' : 'network';
}
