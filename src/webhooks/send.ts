import { setMaxListeners } from 'node:events';
import { Agent, errors, type Dispatcher } from 'undici';
import { requestsPerSubscription, webhookCaps } from '../platform/fixed-limits.js';
import { parseRetryAfterSeconds } from './schedule.js';
import {
  checkTargetUrl,
  createGuardedConnector,
  TargetRefusedError,
  type ResolveAddresses,
} from './target-guard.js';

/** Why an attempt failed: a word for the log and the delivery row, free of addresses and secrets. */
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
 * What became of one attempt. `aborted` is our own shutdown, no failure of the receiver's: the
 * attempt does not count, though the receiver may have got it.
 */
export interface SendResult {
  outcome: 'delivered' | 'failed' | 'aborted';
  statusCode: number | null;
  /** Of a 429 or 503, otherwise null. */
  retryAfterSeconds: number | null;
  error: SendError | null;
  durationMs: number;
}

export interface SendRequest {
  url: string;
  headers: Record<string, string>;
  /** Sent byte for byte (as UTF-8): the bytes that were signed. */
  body: string | Buffer;
  /** Aborted at shutdown. */
  signal?: AbortSignal;
}

export interface Sender {
  /** One POST, once; never rejects. */
  send(request: SendRequest): Promise<SendResult>;
  /** Drops every connection; what is being sent ends as 'aborted'. */
  close(): Promise<void>;
}

export interface SendTimeouts {
  connectSeconds: number;
  /** From the call to the last byte of the answer that is read; waiting for a connection counts. */
  wholeSeconds: number;
}

const defaultTimeouts: SendTimeouts = { connectSeconds: 5, wholeSeconds: 15 };

/** Enough for every subscription to a host: a slow receiver must not delay its neighbours. */
const connectionsPerOrigin = webhookCaps.perHost * requestsPerSubscription;

const answerLimitBytes = 20_000;

const userAgent = 'tattoo-studio-booking-webhooks/2.0';

/**
 * The sender of webhook requests: no redirects, no proxies, guarded targets. The receiver's status
 * decides; the body of its answer is read, up to 20 kB, only so that the connection can be kept.
 * `clock` serves for dates in `Retry-After`.
 */
export function createSender({
  allowPrivateTargets,
  clock,
  resolve,
  timeouts = defaultTimeouts,
}: {
  allowPrivateTargets: boolean;
  clock: { now(): number };
  resolve?: ResolveAddresses;
  timeouts?: SendTimeouts;
}): Sender {
  const { connectSeconds, wholeSeconds } = timeouts;
  // An agent of our own also means: no dispatcher that reads proxy variables.
  const agent = new Agent({
    connect: createGuardedConnector({
      allowPrivateTargets,
      connectSeconds,
      ...(resolve && { resolve }),
    }),
    connections: connectionsPerOrigin,
    // The whole request has one limit, below; undici's own are not needed beside it.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  const post = async (request: SendRequest, signal: AbortSignal): Promise<Attempt> => {
    const target = checkTargetUrl(request.url, { allowPrivateTargets });
    if (!target.allowed) throw new TargetRefusedError();
    const { url } = target;
    const answer = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'POST',
      headers: {
        ...request.headers,
        'content-type': 'application/json',
        'user-agent': userAgent,
      },
      body: request.body,
      signal,
    });
    await readBounded(answer.body);
    return attemptOf(answer, clock.now());
  };

  const send = async (request: SendRequest): Promise<SendResult> => {
    const startedAt = performance.now();
    const { signal: shutdown } = request;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      stop.abort(new SendTimeoutError());
    }, wholeSeconds * 1000);
    const onShutdown = (): void => {
      stop.abort(new ShutdownError());
    };
    if (shutdown?.aborted) onShutdown();
    // One signal serves every send of the process; many listeners on it are no leak.
    if (shutdown) setMaxListeners(0, shutdown);
    shutdown?.addEventListener('abort', onShutdown, { once: true });
    try {
      const attempt = await post(request, stop.signal);
      return { ...attempt, durationMs: performance.now() - startedAt };
    } catch (error) {
      return { ...failureOf(error), durationMs: performance.now() - startedAt };
    } finally {
      clearTimeout(timer);
      shutdown?.removeEventListener('abort', onShutdown);
    }
  };

  return { send, close: () => agent.destroy() };
}

type Attempt = Omit<SendResult, 'durationMs'>;

class SendTimeoutError extends Error {}
class ShutdownError extends Error {}

/** Reads to the end or the limit, then lets go; whatever goes wrong here, the status has decided. */
async function readBounded(body: Dispatcher.ResponseData['body']): Promise<void> {
  let readBytes = 0;
  try {
    for await (const chunk of body) {
      readBytes += (chunk as Buffer).length;
      // Leaving the loop destroys the body, and with it the connection.
      if (readBytes >= answerLimitBytes) return;
    }
  } catch {
    return;
  }
}

function attemptOf(answer: Dispatcher.ResponseData, now: number): Attempt {
  const { statusCode, headers } = answer;
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

function failureOf(error: unknown): Attempt {
  const nothing = { statusCode: null, retryAfterSeconds: null };
  const isOurs = error instanceof ShutdownError || error instanceof errors.ClientDestroyedError;
  if (isOurs) return { ...nothing, outcome: 'aborted', error: null };
  return { ...nothing, outcome: 'failed', error: errorOf(error) };
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

function errorOf(error: unknown): SendError {
  if (error instanceof SendTimeoutError) return 'timeout';
  if (error instanceof errors.HTTPParserError) return 'bad_answer';
  const { code = '' } = error as NodeJS.ErrnoException;
  const known = errorsByCode[code];
  if (known) return known;
  // OpenSSL's verdicts on a certificate and the handshake's own errors share no prefix.
  return /CERT|SSL|TLS|EPROTO|SIGNATURE|ISSUER/.test(code) ? 'tls_failed' : 'network';
}
