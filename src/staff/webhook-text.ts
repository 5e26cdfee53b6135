import type { SubscriptionOverview } from '../repositories/webhook-admin.js';
import type { RecentDelivery } from '../repositories/webhook-subscriptions.js';
import { facts, localTime, shortId, table } from './text.js';

/** A subscription without its secrets, for `--json`. */
export function subscriptionData(row: SubscriptionOverview): Record<string, unknown> {
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    status: statusOf(row),
    disabled_reason: row.disabled_reason,
    disabled_at: row.disabled_at,
    failing_since: row.failing_since,
    created_at: row.created_at,
    deliveries: {
      pending: row.pending,
      delivered: row.delivered,
      failed: row.failed,
      skipped: row.skipped,
    },
  };
}

export function subscriptionTable(rows: readonly SubscriptionOverview[]): string[] {
  return table(
    ['ID', 'ADDRESS', 'STATUS', 'PENDING', 'DELIVERED', 'FAILED', 'SKIPPED'],
    rows.map((row) => [
      shortId(row.id),
      row.url,
      describeStatus(row),
      String(row.pending),
      String(row.delivered),
      String(row.failed),
      String(row.skipped),
    ]),
  );
}

export function subscriptionText(
  row: SubscriptionOverview,
  deliveries: readonly RecentDelivery[],
  timezone: string,
): string[] {
  const at = (instant: Date | null) => (instant === null ? '' : localTime(instant, timezone));
  const about = facts([
    ['Id', row.id],
    ['Address', row.url],
    ['Events', row.events.join(', ')],
    ['Status', describeStatus(row)],
    ['Failing since', at(row.failing_since)],
    ['Disabled', at(row.disabled_at)],
    ['Created', at(row.created_at)],
  ]);
  if (deliveries.length === 0) return [...about, '', 'No deliveries yet.'];
  const list = table(
    ['EVENT', 'KIND', 'STATUS', 'ATTEMPTS', 'ANSWER', 'LAST', 'NEXT'],
    deliveries.map((delivery) => [
      shortId(delivery.event_id),
      delivery.type,
      delivery.status,
      String(delivery.attempts),
      String(delivery.last_status_code ?? ''),
      at(delivery.last_attempt_at),
      at(delivery.next_attempt_at),
    ]),
  );
  return [...about, '', ...list];
}

function statusOf({ disabled_at }: SubscriptionOverview): 'active' | 'disabled' {
  return disabled_at === null ? 'active' : 'disabled';
}

function describeStatus(row: SubscriptionOverview): string {
  if (row.disabled_reason !== null) return `disabled (${row.disabled_reason})`;
  return row.failing_since === null ? 'active' : 'active, failing';
}
