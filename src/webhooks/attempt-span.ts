import type { NewSpan } from '../platform/tracing/tracing.js';
import type { DueDelivery } from '../repositories/webhook-deliveries.js';
import type { SendResult } from './send-result.js';

/** The span of an attempt, without the address: its path and query may be secret. */
export function attemptSpan(
  subscriptionId: string,
  { id, eventId, type, attempts }: DueDelivery,
): NewSpan<SendResult> {
  return {
    name: 'webhook POST',
    kind: 'client',
    attributes: {
      'http.request.method': 'POST',
      'webhook.subscription.id': subscriptionId,
      'webhook.delivery.id': id,
      'webhook.event.id': eventId,
      'webhook.event.type': type,
      'webhook.attempt': attempts + 1,
    },
    describe: ({ outcome, statusCode, error }) => ({
      'webhook.outcome': outcome,
      ...(statusCode !== null && { 'http.response.status_code': statusCode }),
      ...(error !== null && { 'error.type': error }),
    }),
  };
}
