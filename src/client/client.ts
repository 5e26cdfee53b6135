import createFetchClient from 'openapi-fetch';
import type { paths } from '../../generated/client.js';
import type { BookingClient } from './booking-client.js';

export type { BookingClient } from './booking-client.js';
export { BookingError } from './booking-error.js';
export {
  holdAndHandOff,
  placeHold,
  waitForPerson,
  type HoldOptions,
  type WaitOptions,
} from './hold-and-hand-off.js';
export type {
  Alternative,
  Availability,
  Booking,
  ErrorCode,
  Hold,
  HoldRequest,
  Studio,
  TimeSlot,
} from '../../generated/client.js';

export interface ClientOptions {
  /** The service's URL, such as `https://book.example.com`, without `/api/public`. */
  baseUrl: string;
  /** Raises the limits; never required. Do not put a key into a public web page. */
  apiKey?: string;
  /** Replaces `globalThis.fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/**
 * A client of the booking service, for Node, browsers and other runtimes with `fetch`. A call
 * resolves with `data` or `error`, and `response`; it rejects only when there is no response.
 */
export function createClient({ baseUrl, apiKey, fetch }: ClientOptions): BookingClient {
  if (!/^https?:\/\//u.test(baseUrl)) {
    const given = baseUrl === '' ? 'empty' : baseUrl;
    throw new TypeError(`baseUrl must be the service's address (http or https), and is ${given}`);
  }
  return createFetchClient<paths, 'application/json'>({
    baseUrl,
    ...(apiKey !== undefined && { headers: { authorization: `Bearer ${apiKey}` } }),
    ...(fetch !== undefined && { fetch }),
  });
}
