import { Webhook } from 'standardwebhooks';
import type { WebhookEvent as WebhookBody } from '../../generated/client.js';

const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
const bodyLimitCharacters = 256 * 1024;

/** An event, with the booking as of the event. */
export interface WebhookEvent extends WebhookBody {
  /** The event's id, the same on every retry: process each id once. */
  id: string;
}

/** A request as frameworks pass it: a `Request`, or Node's, with its body read or unread. */
export type WebhookRequest =
  | Pick<Request, 'headers' | 'text'>
  | { headers: NodeHeaders; body: string | Uint8Array }
  | ({ headers: NodeHeaders } & AsyncIterable<Uint8Array | string>);

type NodeHeaders = Record<string, string | string[] | undefined>;

/** The request is not a genuine event, or is too old: respond with 400, and do nothing. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError';
}

/**
 * Verifies the signature of a delivery (Standard Webhooks 1.0.0) with the `signing_secret` of the
 * subscription, and that it is at most five minutes old; returns the event. Takes a `Request`, a
 * request of `node:http` whose body is unread, or its `headers` with the unparsed `body`: the
 * signature covers the bytes. Throws a WebhookVerificationError if the request is not genuine, and
 * a TypeError for wrong arguments.
 */
export async function parseEvent(
  request: WebhookRequest,
  signingSecret: string,
): Promise<WebhookEvent> {
  const webhook = verifier(signingSecret);
  const headers = signatureHeaders(request);
  const body = await readBody(request);
  try {
    const event = webhook.verify(body, headers) as WebhookBody;
    return { id: headers['webhook-id'] ?? '', ...event };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new WebhookVerificationError(`This is no event of the booking service: ${reason}`, {
      cause,
    });
  }
}

function verifier(signingSecret: string): Webhook {
  try {
    return new Webhook(signingSecret);
  } catch (cause) {
    // The text is not repeated in the message: it may be part of a secret.
    const given = typeof signingSecret === 'string' ? 'another text' : String(signingSecret);
    throw new TypeError(
      `parseEvent needs the signing_secret of the subscription (whsec_…), and got ${given}`,
      { cause },
    );
  }
}

function signatureHeaders({ headers }: WebhookRequest): Record<string, string> {
  const read =
    typeof headers.get === 'function'
      ? (name: string) => (headers as Headers).get(name)
      : (name: string) => (headers as NodeHeaders)[name];
  return Object.fromEntries(names.map((name) => [name, String(read(name) ?? '')]));
}

async function readBody(request: WebhookRequest): Promise<string> {
  if ('text' in request) return request.text();
  const parsed = 'body' in request ? request.body : undefined;
  if (typeof parsed === 'string') return parsed;
  if (parsed instanceof Uint8Array) return new TextDecoder().decode(parsed);
  if (parsed !== undefined || !(Symbol.asyncIterator in request)) {
    throw new TypeError(
      'parseEvent needs the body as it arrived: hand it over unparsed, as text or bytes (express.raw(), for one)',
    );
  }
  return readStream(request);
}

async function readStream(chunks: AsyncIterable<Uint8Array | string>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunks) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    if (text.length > bodyLimitCharacters) {
      throw new WebhookVerificationError('The body is larger than any event.');
    }
  }
  return text + decoder.decode();
}
