/** Why a request got no response: for logs and rows, free of addresses and secrets. */
export type RequestError =
  | 'target_refused'
  | 'dns_failed'
  | 'connect_timeout'
  | 'connection_refused'
  | 'connection_lost'
  | 'tls_failed'
  | 'timeout'
  | 'bad_answer'
  | 'network';

/** The reason of a request that exceeded its time. */
export class RequestTimeoutError extends Error {}

const errorsByCode: Record<string, RequestError> = {
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

export function requestErrorOf(error: unknown): RequestError {
  if (error instanceof RequestTimeoutError) return 'timeout';
  const { name, code = '' } = error as NodeJS.ErrnoException;
  if (name === 'HTTPParserError') return 'bad_answer';
  const known = errorsByCode[code];
  if (known) return known;
  // OpenSSL's codes for certificates and for the handshake share no prefix.
  return /CERT|SSL|TLS|EPROTO|SIGNATURE|ISSUER/.test(code) ? 'tls_failed' : 'network';
}
