import { Webhook } from 'standardwebhooks';

/**
 * The headers of one attempt of a delivery (HMAC-SHA256 over `id.timestamp.body`, Standard Webhooks 1.0.0).
 * `messageId` is the event's id, the same on every retry. `timestampSeconds` is the time of this
 * attempt, since receivers reject old timestamps. `body` must be sent unchanged, as UTF-8.
 */
export function signDelivery({
  secret,
  messageId,
  timestampSeconds,
  body,
}: {
  secret: string;
  messageId: string;
  timestampSeconds: number;
  body: string;
}): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const wholeSeconds = Math.floor(timestampSeconds);
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(wholeSeconds),
    'webhook-signature': new Webhook(secret).sign(messageId, new Date(wholeSeconds * 1000), body),
  };
}
