import type { Dispatcher } from 'undici';
import { createGuardedAgent, isAgentDestroyed } from '../../outbound/guarded-agent.js';
import { requestErrorOf, RequestTimeoutError } from '../../outbound/request-error.js';
import type { ResolveAddresses } from '../../outbound/resolve-addresses.js';
import { checkTargetUrl, TargetRefusedError } from '../../outbound/target-guard.js';
import type { CalendarError } from '../calendar-reader.js';
import type { CalendarLimits } from './limits.js';

export interface CalendarFetcher {
  /** Sends one GET request, without retries. Never rejects. */
  fetch(request: { address: string; etag: string | null }): Promise<FetchedCalendar>;
  /** Closes all connections; requests in flight end with the outcome 'aborted'. */
  close(): Promise<void>;
}

export type FetchedCalendar =
  | { outcome: 'fetched'; etag: string | null; body: Uint8Array }
  | { outcome: 'unchanged' }
  | { outcome: 'failed'; error: CalendarError; statusCode: number | null }
  | { outcome: 'aborted' };

const userAgent = 'tattoo-studio-booking-calendars/2.0';

/** Entity tags as RFC 9110 (8.8.3) has them, of a length that a row and a header can hold. */
const saneEtag = /^[\x20-\x7e]{1,200}$/;

/** Fetches calendars. Follows no redirects, uses no proxy and connects to allowed targets only. */
export function createCalendarFetcher({
  allowPrivateTargets,
  limits: { connectSeconds, fetchSeconds, bodyBytes },
  resolve,
}: {
  allowPrivateTargets: boolean;
  limits: Pick<CalendarLimits, 'connectSeconds' | 'fetchSeconds' | 'bodyBytes'>;
  resolve?: ResolveAddresses;
}): CalendarFetcher {
  const agent = createGuardedAgent({
    allowPrivateTargets,
    connectSeconds,
    resolve,
    // Requests are minutes apart: connections are not kept.
    pipelining: 0,
    // `fetchSeconds` limits both.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  const get = async (
    { address, etag }: { address: string; etag: string | null },
    signal: AbortSignal,
  ): Promise<FetchedCalendar> => {
    const target = checkTargetUrl(address, { allowPrivateTargets });
    if (!target.allowed) throw new TargetRefusedError();
    const { url } = target;
    const response = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      headers: {
        accept: 'text/calendar',
        'user-agent': userAgent,
        ...(etag !== null && { 'if-none-match': etag }),
      },
      signal,
    });
    const refused = resultOfHead(response, { bodyBytes, isConditional: etag !== null });
    if (refused !== null) {
      discard(response.body);
      return refused;
    }
    const body = await readBody(response.body, bodyBytes);
    return body === null
      ? failed('too_large')
      : { outcome: 'fetched', etag: etagOf(response), body };
  };

  return {
    async fetch(request) {
      const controller = new AbortController();
      const timer = setTimeout(() => {
        controller.abort(new RequestTimeoutError());
      }, fetchSeconds * 1000);
      try {
        return await get(request, controller.signal).catch(resultOfFailure);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => agent.destroy(),
  };
}

/** The result if the body is not to be read, otherwise null. */
function resultOfHead(
  { statusCode, headers }: Dispatcher.ResponseData,
  { bodyBytes, isConditional }: { bodyBytes: number; isConditional: boolean },
): FetchedCalendar | null {
  if (statusCode === 304 && isConditional) return { outcome: 'unchanged' };
  if (statusCode !== 200) {
    const isRedirect = statusCode >= 300 && statusCode < 400 && statusCode !== 304;
    return { outcome: 'failed', error: isRedirect ? 'redirect' : 'status', statusCode };
  }
  const { 'content-encoding': encoding = 'identity', 'content-length': length } = headers;
  // Nothing else was asked for, and it could unpack to any size.
  if (String(encoding).toLowerCase() !== 'identity') return failed('bad_answer');
  return Number(length) > bodyBytes ? failed('too_large') : null;
}

function resultOfFailure(error: unknown): FetchedCalendar {
  return isAgentDestroyed(error) ? { outcome: 'aborted' } : failed(requestErrorOf(error));
}

function failed(error: CalendarError): FetchedCalendar {
  return { outcome: 'failed', error, statusCode: null };
}

function etagOf({ headers }: Dispatcher.ResponseData): string | null {
  const { etag } = headers;
  return typeof etag === 'string' && saneEtag.test(etag) ? etag : null;
}

/** The whole body, or null if it is longer than the limit. */
async function readBody(
  body: Dispatcher.ResponseData['body'],
  limit: number,
): Promise<Uint8Array | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += (chunk as Buffer).length;
    // Leaving the loop destroys the body and its connection.
    if (length > limit) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function discard(body: Dispatcher.ResponseData['body']): void {
  // The result is known; destroying the body may emit that it was aborted.
  body.on('error', () => undefined);
  body.destroy();
}
