import { Option } from 'commander';
import type { RecentDelivery, SubscriptionOverview } from '../../database/rows/results.js';
import { listStudioWebhooks, readWebhookRecord } from '../../domain/studio/lists.js';
import {
  disableWebhook,
  enableWebhook,
  redeliverWebhooks,
} from '../../domain/studio/webhook-admin.js';
import { deliveryView } from '../../views/webhook.js';
import { idPrefix, instant, type InstantResolver } from '../arguments.js';
import type { Run, StaffCommand } from '../command.js';
import { onlyOne, StaffError } from '../failure.js';
import type { StaffServices } from '../session.js';
import { count, facts, shortId, table } from '../text.js';

const deliveriesShown = 20;

interface RedeliverOptions {
  event?: string;
  failedSince?: InstantResolver;
}

export function addWebhookCommands(program: StaffCommand): void {
  const webhooks = program
    .command('webhooks')
    .concerns('owner')
    .description('webhook subscriptions and deliveries');

  webhooks
    .command('list')
    .description('list subscriptions, newest first')
    .withLimit('subscriptions', 100_000, 100)
    .explain('\nExample:\n  studio webhooks list')
    .run(async ({ services, print }, { limit }: { limit: number }) => {
      const { rows } = await listStudioWebhooks(services, { limit });
      print(rows.map(subscriptionData), () => subscriptionTable(rows));
    });

  webhooks
    .command('show')
    .description('show a subscription and its latest deliveries')
    .withId()
    .withLimit('deliveries', 10_000, deliveriesShown)
    .explain('\nExample:\n  studio webhooks show 9e107d9d')
    .run(async ({ services, at, print }, id: string, { limit }: { limit: number }) => {
      const row = await findSubscription(services, id);
      const record = await readWebhookRecord(services, row.id, limit);
      const { deliveries } = record ?? { deliveries: [] };
      const data = { ...subscriptionData(row), recent_deliveries: deliveries.map(deliveryView) };
      print(data, () => subscriptionText(row, deliveries, at));
    });

  webhooks
    .command('disable')
    .description('stop sending to a subscription')
    .withId()
    .explain('\nExample:\n  studio webhooks disable 9e107d9d')
    .run(async ({ services, actor, confirm, print }, id: string) => {
      const row = await findSubscription(services, id);
      const already = new StaffError('refused', `${row.url} is already disabled.`);
      if (row.disabled_at !== null) throw already;
      await confirm(`Disable ${row.url}? Its pending deliveries fail.`);
      const outcome = await disableWebhook(services, actor, row.id);
      if (outcome === 'already_disabled') throw already;
      print({ disabled: row.id }, () => [`Disabled: ${row.url}.`]);
    });

  webhooks
    .command('enable')
    .description('send new events to a disabled subscription again')
    .withId()
    .explain(`
"studio webhooks redeliver" sends what it missed.

Example:
  studio webhooks enable 9e107d9d`)
    .run(async ({ services, actor, print }, id: string) => {
      const row = await findSubscription(services, id);
      const outcome = await enableWebhook(services, actor, row);
      if (outcome !== 'enabled') {
        throw new StaffError(
          'refused',
          outcome === 'secret_lost'
            ? `The signing secret of ${row.url} is lost: its owner must subscribe again.`
            : `${row.url} is not disabled.`,
        );
      }
      print({ enabled: row.id }, () => [`Enabled: ${row.url}.`]);
    });

  webhooks
    .command('redeliver')
    .description('send one event again, or all deliveries that failed since a time')
    .argument('[id]', 'only this subscription: its id, or the first characters of its id', idPrefix)
    .addOption(
      new Option('--event <id>', 'this event, even if it was delivered')
        .argParser(idPrefix)
        .conflicts('failedSince'),
    )
    .option(
      '--failed-since <time>',
      'a time such as 2026-12-01, 2026-12-01T14:30, 2h or 3d',
      instant,
    )
    .explain(`
An event keeps its id, so that receivers recognize what they already have. Nothing is sent to
disabled subscriptions: enable them first.

Examples:
  studio webhooks redeliver 9e107d9d --event 2f6d0f7c
  studio webhooks redeliver 9e107d9d --failed-since 2026-12-01
  studio webhooks redeliver --failed-since 6h --yes`)
    .check((_id: string | undefined, { event, failedSince }: RedeliverOptions) => {
      if (event !== undefined || failedSince !== undefined) return;
      throw new StaffError('usage', 'Give --event or --failed-since.');
    })
    .run(redeliver);
}

async function redeliver(
  { services, studio, actor, confirm, print }: Run,
  id: string | undefined,
  { event = '', failedSince }: RedeliverOptions,
): Promise<void> {
  const row = id === undefined ? null : await findSubscription(services, id);
  if (row !== null && row.disabled_at !== null) {
    throw new StaffError('refused', `${row.url} is disabled: enable it first.`);
  }
  const selection =
    failedSince === undefined
      ? { eventIdPrefix: event }
      : { failedSince: failedSince(studio.timezone, services.clock.now()) };
  const what = failedSince === undefined ? `event ${event}` : 'all that failed';
  await confirm(`Send ${what} again to ${row?.url ?? 'every subscriber'}?`);
  const outcome = await redeliverWebhooks(services, actor, row?.id ?? null, selection);
  const { deliveries, subscriptionIds } = outcome;
  if (deliveries === 0) {
    throw new StaffError('not_found', 'There is no such delivery to send again.');
  }
  print({ redelivered: deliveries, subscriptions: subscriptionIds }, () => [
    `Due: ${count(deliveries, 'delivery')}. A running service sends at once.`,
  ]);
}

async function findSubscription(
  services: StaffServices,
  id: string,
): Promise<SubscriptionOverview> {
  const { rows } = await listStudioWebhooks(services, { idPrefix: id, limit: 2 });
  return onlyOne(rows, 'subscription', id);
}

/** A subscription without its secrets, for `--json`. */
function subscriptionData(row: SubscriptionOverview): Record<string, unknown> {
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

function subscriptionTable(rows: readonly SubscriptionOverview[]): string[] {
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
    'No subscriptions.',
  );
}

function subscriptionText(
  row: SubscriptionOverview,
  deliveries: readonly RecentDelivery[],
  at: Run['at'],
): string[] {
  const about = facts([
    ['Id', row.id],
    ['Address', row.url],
    ['Events', row.events.join(', ')],
    ['Status', describeStatus(row)],
    ['Failing since', at(row.failing_since)],
    ['Disabled', at(row.disabled_at)],
    ['Created', at(row.created_at)],
  ]);
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
    'No deliveries yet.',
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
