import type {
  WebhookDeliveryStatus,
  WebhookDisabledReason,
  WebhookSubscriptionRow,
} from '../../database/webhook-tables.js';

/**
 * Where a subscription sends to: host and path. A query is only hinted at, because many receivers have
 * their secret in it, and this page may be looked at over a shoulder.
 */
export function addressWords(url: string): string {
  const { host, pathname, search } = new URL(url);
  return `${host}${pathname === '/' ? '' : pathname}${search === '' ? '' : '?…'}`;
}

const reasons: Record<WebhookDisabledReason, string> = {
  gone: 'its receiver said that it is gone',
  never_succeeded: 'it never succeeded',
  failing: 'it failed for too long',
  studio: 'by the studio',
  secret_lost: 'its signing secret is lost: its owner must subscribe again',
};

export function stateWords({
  disabled_reason: reason,
  failing_since: since,
}: Pick<WebhookSubscriptionRow, 'disabled_reason' | 'failing_since'>): string {
  if (reason !== null) return `Disabled: ${reasons[reason]}`;
  return since === null ? 'Active' : 'Active, failing';
}

export const deliveryWords: Record<WebhookDeliveryStatus, string> = {
  pending: 'To be sent',
  delivered: 'Delivered',
  failed: 'Failed',
};

/** `1 failed, 2 to be sent, 14 delivered, 3 skipped`. */
export function countWords(counts: {
  pending: number;
  delivered: number;
  failed: number;
  skipped: number;
}): string {
  const parts = [
    counts.failed > 0 && `${counts.failed} failed`,
    counts.pending > 0 && `${counts.pending} to be sent`,
    counts.delivered > 0 && `${counts.delivered} delivered`,
    counts.skipped > 0 && `${counts.skipped} skipped`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'nothing sent yet' : parts.join(', ');
}
