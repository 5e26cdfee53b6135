import type {
  Availability,
  Booking,
  CreatedWebhook,
  DeletedWebhook,
  ErrorResponse,
  Hold,
  HoldRequest,
  WebhookRequest,
} from '../../src/client/types.js';

/** `error` is the service's refusal; `retryAfter` the header of that name, where there are headers. */
export type Answer<Data> =
  | { data: Data }
  | { error: ErrorResponse['error']; retryAfter?: string | null };

/** What tasks ask of the service, over whichever interface and client. */
export interface Agent {
  listOpenTimes(range: { from: string; to: string }): Promise<Answer<Availability>>;
  hold(request: HoldRequest): Promise<Answer<Hold>>;
  readBooking(id: string): Promise<Answer<Booking>>;
  /** Reads the booking until it is no longer pending, as the interface says to wait. */
  waitForPerson(hold: Hold): Promise<Answer<Booking>>;
  /** Without those for which the interface has no means. */
  webhooks?: Webhooks;
  /** Names of tasks for which the interface has no means. */
  unable: readonly string[];
  close(): Promise<void>;
}

export interface Webhooks {
  subscribe(request: WebhookRequest): Promise<Answer<CreatedWebhook>>;
  unsubscribe(manageToken: string): Promise<Answer<DeletedWebhook>>;
}

/** Finds the interface from the base address of the service, and connects to it. */
export type Client = (baseUrl: string) => Promise<Agent>;

/** The data of an answer; throws the refusal. */
export function dataOf<Data>(answer: Answer<Data>): Data {
  if ('data' in answer) return answer.data;
  throw new Error(`${answer.error.code}: ${answer.error.message}`);
}

/** The refusal; throws if there is none, or another one. */
export function refusalOf(answer: Answer<unknown>, code: string): ErrorResponse['error'] {
  if ('data' in answer) throw new Error(`not refused, but ${code} was expected`);
  if (answer.error.code !== code) throw new Error(`${answer.error.code} instead of ${code}`);
  return answer.error;
}
