import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import type { CalendarError } from '../../database/rows/calendars.js';
import { createGuardedAgent, isAgentDestroyed } from '../../outbound/guarded-agent.js';
import { requestErrorOf, RequestTimeoutError } from '../../outbound/request-error.js';
import type { ResolveAddresses } from '../../outbound/resolve-addresses.js';
import { checkTargetUrl, TargetRefusedError } from '../../outbound/target-guard.js';
import type { FailedReading } from '../calendar-reader.js';
import type { CalendarLimits } from './limits.js';

type FetchedCalendar =
  | {
      outcome: 'fetched';
      etag: string | null;
      body: Uint8Array;
      /** The address to which permanent redirects alone led; null without one. */
      movedTo: string | null;
    }
  | { outcome: 'unchanged' }
  | FailedReading
  | { outcome: 'aborted' };

const userAgent = 'tattoo-studio-booking-calendars/2.0';

/** Entity tags as RFC 9110 (8.8.3) has them, of a length that a row and a header can hold. */
const saneEtag = /^[\x20-\x7e]{1,200}$/;

const mostRedirects = 2;
const redirects = [301, 302, 303, 307, 308];
const permanentRedirects = [301, 308];

/** Fetches calendars. Uses no proxy, and connects to allowed targets only, also after a redirect. */
export function createCalendarFetcher({
  allowPrivateTargets,
  limits: { connectSeconds, headSeconds, bodySeconds, bodyBytes },
  resolve,
}: {
  allowPrivateTargets: boolean;
  limits: Pick<CalendarLimits, 'connectSeconds' | 'headSeconds' | 'bodySeconds' | 'bodyBytes'>;
  resolve?: ResolveAddresses;
}) {
  const agent = createGuardedAgent({
    allowPrivateTargets,
    connectSeconds,
    resolve,
    // Requests are minutes apart: connections are not kept.
    pipelining: 0,
    // The limits of `fetch` cover all requests together.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  const get = (url: URL, etag: string | null, signal: AbortSignal) =>
    agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      headers: {
        accept: 'text/calendar',
        'accept-encoding': 'gzip',
        'user-agent': userAgent,
        ...(etag !== null && { 'if-none-match': etag }),
      },
      signal,
    });

  /** The first response that is no redirect, and its address. */
  const follow = async (address: string, etag: string | null, signal: AbortSignal) => {
    let url = allowedUrl(address, allowPrivateTargets);
    let isPermanent = true;
    for (let count = 0; ; count += 1) {
      const response = await get(url, etag, signal);
      const { statusCode, headers } = response;
      if (!redirects.includes(statusCode)) {
        return { response, movedTo: count > 0 && isPermanent ? url.href : null };
      }
      discard(response.body);
      const next = count < mostRedirects ? redirectedTo(headers['location'], url) : null;
      if (next === null) return failed('redirect', statusCode);
      url = allowedUrl(next.href, allowPrivateTargets);
      isPermanent &&= permanentRedirects.includes(statusCode);
    }
  };

  return {
    /** Sends a GET request, and follows its redirects, without retries. Never rejects. */
    async fetch({
      address,
      etag,
    }: {
      address: string;
      etag: string | null;
    }): Promise<FetchedCalendar> {
      const limit = createTimeLimit(headSeconds);
      try {
        const followed = await follow(address, etag, limit.signal);
        if ('outcome' in followed) return followed;
        const { response, movedTo } = followed;
        const result = resultOfHead(response, { bodyBytes, isConditional: etag !== null });
        if (result !== null) {
          discard(response.body);
          return result;
        }
        limit.restart(bodySeconds);
        const body = await readBody(response.body, bodyBytes);
        return body === null
          ? failed('too_large')
          : { outcome: 'fetched', etag: etagOf(response), body, movedTo };
      } catch (error) {
        return isAgentDestroyed(error) ? { outcome: 'aborted' } : failed(requestErrorOf(error));
      } finally {
        limit.end();
      }
    },
    /** Closes all connections; requests in flight end with the outcome 'aborted'. */
    close: () => agent.destroy(),
  };
}

/** Aborts its signal after a number of seconds, which can be renewed. */
function createTimeLimit(seconds: number) {
  const controller = new AbortController();
  const start = (limit: number) =>
    setTimeout(() => controller.abort(new RequestTimeoutError()), limit * 1000);
  let timer = start(seconds);
  const end = (): void => clearTimeout(timer);
  return {
    signal: controller.signal,
    end,
    restart(limit: number) {
      end();
      timer = start(limit);
    },
  };
}

/** @throws TargetRefusedError */
function allowedUrl(address: string, allowPrivateTargets: boolean): URL {
  const target = checkTargetUrl(address, { allowPrivateTargets });
  if (!target.allowed) throw new TargetRefusedError();
  return target.url;
}

/**
 * The address of a Location header; null if it names none, or one without encryption in place of one
 * with it.
 * @internal
 */
export function redirectedTo(location: string | string[] | undefined, from: URL): URL | null {
  if (typeof location !== 'string' || !URL.canParse(location, from)) return null;
  const to = new URL(location, from);
  return from.protocol === 'https:' && to.protocol !== 'https:' ? null : to;
}

/** The result if the body is not to be read, otherwise null. */
function resultOfHead(
  { statusCode, headers }: Dispatcher.ResponseData,
  { bodyBytes, isConditional }: { bodyBytes: number; isConditional: boolean },
): FetchedCalendar | null {
  if (statusCode === 304 && isConditional) return { outcome: 'unchanged' };
  if (statusCode !== 200) {
    const isRedirect = statusCode >= 300 && statusCode < 400 && statusCode !== 304;
    return failed(isRedirect ? 'redirect' : 'status', statusCode);
  }
  return Number(headers['content-length']) > bodyBytes ? failed('too_large') : null;
}

export function failed(error: CalendarError, statusCode: number | null = null): FailedReading {
  return { outcome: 'failed', error, statusCode };
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

const inflate = promisify(gunzip);

/** The bytes of a calendar, decompressed if they are compressed, whatever its server says; or an error. */
export async function inflated(
  body: Uint8Array,
  bodyBytes: number,
): Promise<Uint8Array | FailedReading> {
  const isGzip = body[0] === 0x1f && body[1] === 0x8b;
  if (!isGzip) return body;
  try {
    return await inflate(body, { maxOutputLength: bodyBytes });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return failed(code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'bad_answer');
  }
}
