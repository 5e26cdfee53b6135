import { setMaxListeners } from 'node:events';
import { requestsPerSubscription, webhookCaps } from '../config/limits.js';
import { createGuardedAgent } from '../outbound/guarded-agent.js';
import { RequestTimeoutError } from '../outbound/request-error.js';
import type { ResolveAddresses } from '../outbound/resolve-addresses.js';
import { checkTargetUrl, TargetRefusedError } from '../outbound/target-guard.js';
import {
  resultOfFailure,
  resultOfResponse,
  ShutdownError,
  type SendResult,
  type UntimedResult,
} from './send-result.js';

export interface SendRequest {
  url: string;
  headers: Record<string, string>;
  /** The body is sent byte for byte (as UTF-8) as it was signed. */
  body: string | Buffer;
  /** Aborted at shutdown. */
  signal?: AbortSignal;
}

export interface Sender {
  /** The most requests that may be in flight, so that connections stay within their limit. */
  readonly maxRequests: number;
  /** Sends one POST request, without retries. Never rejects. */
  send(request: SendRequest): Promise<SendResult>;
  /** Closes all connections; requests in flight end with the outcome 'aborted'. */
  close(): Promise<void>;
}

export interface SendTimeouts {
  connectSeconds: number;
  /** The time from the call until the response body is read, including the wait for a connection. */
  totalSeconds: number;
}

const defaultTimeouts: SendTimeouts = { connectSeconds: 5, totalSeconds: 15 };

/**
 * The most connections to one host: enough for all of its subscriptions, so that a slow receiver does not
 * delay others.
 */
const connectionsPerOrigin = webhookCaps.perDomain * requestsPerSubscription;

const responseLimitBytes = 20_000;

const userAgent = 'tattoo-studio-booking-webhooks/2.0';

/**
 * Sends webhook requests. Follows no redirects, uses no proxy and connects to allowed targets only.
 * The status code alone determines the outcome; up to 20 kB of the response body are read so that
 * the connection can be reused. `clock` is needed for dates in `Retry-After`.
 */
export function createSender({
  allowPrivateTargets,
  clock,
  maxConnections = Infinity,
  resolve,
  timeouts = defaultTimeouts,
}: {
  allowPrivateTargets: boolean;
  clock: { now(): number };
  /** Idle ones included. */
  maxConnections?: number;
  resolve?: ResolveAddresses;
  timeouts?: SendTimeouts;
}): Sender {
  const { connectSeconds, totalSeconds } = timeouts;
  // As many connections may be idle as busy, and as many again linger after a burst.
  const maxRequests = Math.floor(maxConnections / 3);
  const agent = createGuardedAgent({
    allowPrivateTargets,
    connectSeconds,
    resolve,
    connections: connectionsPerOrigin,
    // `totalSeconds` limits both.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  const post = async (request: SendRequest, signal: AbortSignal): Promise<UntimedResult> => {
    const target = checkTargetUrl(request.url, { allowPrivateTargets });
    if (!target.allowed) throw new TargetRefusedError();
    const { url } = target;
    const response = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'POST',
      headers: {
        ...request.headers,
        'content-type': 'application/json',
        'user-agent': userAgent,
      },
      body: request.body,
      reset: agent.openConnections() >= maxRequests,
      signal,
    });
    // The status alone determines the outcome: whether the rest arrives does not.
    await response.body.dump({ limit: responseLimitBytes }).catch(() => undefined);
    return resultOfResponse(response, clock.now());
  };

  const send = async (request: SendRequest): Promise<SendResult> => {
    const startedAt = performance.now();
    const { signal: shutdown } = request;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      controller.abort(new RequestTimeoutError());
    }, totalSeconds * 1000);
    const onShutdown = (): void => {
      controller.abort(new ShutdownError());
    };
    if (shutdown?.aborted) onShutdown();
    // All requests share one shutdown signal: many listeners are not a leak.
    if (shutdown) setMaxListeners(0, shutdown);
    shutdown?.addEventListener('abort', onShutdown, { once: true });
    try {
      const result = await post(request, controller.signal).catch(resultOfFailure);
      return { ...result, durationMs: performance.now() - startedAt };
    } finally {
      clearTimeout(timer);
      shutdown?.removeEventListener('abort', onShutdown);
    }
  };

  return { maxRequests, send, close: () => agent.destroy() };
}
