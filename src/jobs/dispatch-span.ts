import type { NewSpan } from '../platform/tracing/tracing.js';

/** The span of a batch of event rows, which began with its transaction. */
export function dispatchSpan(name: string, events: number, startedAt: number): NewSpan<void> {
  return {
    name,
    kind: 'internal',
    attributes: { 'messaging.batch.message_count': events },
    startedAt,
  };
}
