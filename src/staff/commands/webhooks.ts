import { type Command, Option } from 'commander';
import { listStudioWebhooks } from '../../domain/studio-lists.js';
import { disableWebhook, enableWebhook, redeliverWebhooks } from '../../domain/webhook-admin.js';
import { readStudio } from '../../repositories/studio-settings.js';
import { listSubscriptions, type SubscriptionOverview } from '../../repositories/webhook-admin.js';
import { listRecentDeliveries } from '../../repositories/webhook-subscriptions.js';
import { idPrefix, instant, type InstantResolver, wholeNumber } from '../arguments.js';
import {
  actorAtTerminal,
  type CommandContext,
  confirm,
  printResult,
  withSession,
} from '../command-context.js';
import { onlyOne, StaffError } from '../failure.js';
import type { StaffServices } from '../session.js';
import { count } from '../text.js';
import { subscriptionData, subscriptionTable, subscriptionText } from '../webhook-text.js';

const idArgument = ['<id>', 'its id, or the first characters of its id', idPrefix] as const;
const deliveriesShown = 20;

interface RedeliverOptions {
  event?: string;
  failedSince?: InstantResolver;
  yes?: true;
}

export function addWebhookCommands(program: Command, commandContext: CommandContext): void {
  const webhooks = program.command('webhooks').description('webhook subscriptions and deliveries');

  webhooks
    .command('list')
    .description('list subscriptions, newest first')
    .option('--limit <n>', 'show at most n subscriptions', wholeNumber(1, 100_000), 100)
    .addHelpText('after', '\nExample:\n  studio webhooks list')
    .action(({ limit }: { limit: number }) =>
      withSession(commandContext, async ({ services }) => {
        const { rows } = await listStudioWebhooks(services, { limit });
        printResult(commandContext, rows.map(subscriptionData), () =>
          rows.length === 0 ? ['No subscriptions.'] : subscriptionTable(rows),
        );
      }),
    );

  webhooks
    .command('show')
    .description('show a subscription and its latest deliveries')
    .argument(...idArgument)
    .option('--limit <n>', 'show at most n deliveries', wholeNumber(1, 10_000), deliveriesShown)
    .addHelpText('after', '\nExample:\n  studio webhooks show 9e107d9d')
    .action((id: string, { limit }: { limit: number }) =>
      withSession(commandContext, async ({ services }) => {
        const row = await findSubscription(services, id);
        const deliveries = await listRecentDeliveries(services.database, row.id, limit);
        const { timezone } = await readStudio(services.database);
        printResult(
          commandContext,
          { ...subscriptionData(row), recent_deliveries: deliveries },
          () => subscriptionText(row, deliveries, timezone),
        );
      }),
    );

  webhooks
    .command('disable')
    .description('stop sending to a subscription')
    .argument(...idArgument)
    .option('-y, --yes', 'skip the question')
    .addHelpText('after', '\nExample:\n  studio webhooks disable 9e107d9d')
    .action((id: string, { yes }: { yes?: true }) =>
      withSession(commandContext, async ({ services }) => {
        const row = await findSubscription(services, id);
        const already = new StaffError('refused', `${row.url} is already disabled.`);
        if (row.disabled_at !== null) throw already;
        await confirm(
          commandContext,
          `Disable ${row.url}? Its pending deliveries fail.`,
          yes === true,
        );
        const outcome = await disableWebhook(services, actorAtTerminal(), row.id);
        if (outcome === 'already_disabled') throw already;
        printResult(commandContext, { disabled: row.id }, () => [`Disabled: ${row.url}.`]);
      }),
    );

  webhooks
    .command('enable')
    .description('send new events to a disabled subscription again')
    .argument(...idArgument)
    .addHelpText(
      'after',
      `
"studio webhooks redeliver" sends what it missed.

Example:
  studio webhooks enable 9e107d9d`,
    )
    .action((id: string) =>
      withSession(commandContext, async ({ services }) => {
        const row = await findSubscription(services, id);
        const outcome = await enableWebhook(services, actorAtTerminal(), row);
        if (outcome !== 'enabled') {
          throw new StaffError(
            'refused',
            outcome === 'secret_lost'
              ? `The signing secret of ${row.url} is lost: its owner must subscribe again.`
              : `${row.url} is not disabled.`,
          );
        }
        printResult(commandContext, { enabled: row.id }, () => [`Enabled: ${row.url}.`]);
      }),
    );

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
    .option('-y, --yes', 'skip the question')
    .addHelpText(
      'after',
      `
An event keeps its id, so that receivers recognize what they already have. Nothing is sent to
disabled subscriptions: enable them first.

Examples:
  studio webhooks redeliver 9e107d9d --event 2f6d0f7c
  studio webhooks redeliver 9e107d9d --failed-since 2026-12-01
  studio webhooks redeliver --failed-since 6h --yes`,
    )
    .action((id: string | undefined, options: RedeliverOptions) =>
      redeliver(commandContext, id, options),
    );
}

async function redeliver(
  commandContext: CommandContext,
  id: string | undefined,
  { event, failedSince, yes }: RedeliverOptions,
): Promise<void> {
  if (event === undefined && failedSince === undefined) {
    throw new StaffError('usage', 'Give --event or --failed-since.');
  }
  await withSession(commandContext, async ({ services }) => {
    const row = id === undefined ? null : await findSubscription(services, id);
    if (row !== null && row.disabled_at !== null) {
      throw new StaffError('refused', `${row.url} is disabled: enable it first.`);
    }
    const { timezone } = await readStudio(services.database);
    const selection =
      failedSince === undefined
        ? { eventIdPrefix: event ?? '' }
        : { failedSince: failedSince(timezone, services.clock.now()) };
    const what = event === undefined ? 'all that failed' : `event ${event}`;
    await confirm(
      commandContext,
      `Send ${what} again to ${row?.url ?? 'every subscriber'}?`,
      yes === true,
    );
    const outcome = await redeliverWebhooks(
      services,
      actorAtTerminal(),
      row?.id ?? null,
      selection,
    );
    const { deliveries, subscriptionIds } = outcome;
    if (deliveries === 0)
      throw new StaffError('notFound', 'There is no such delivery to send again.');
    printResult(commandContext, { redelivered: deliveries, subscriptions: subscriptionIds }, () => [
      `Due: ${count(deliveries, 'delivery')}. A running service sends at once.`,
    ]);
  });
}

async function findSubscription(
  services: StaffServices,
  id: string,
): Promise<SubscriptionOverview> {
  const found = await listSubscriptions(services.database, { idPrefix: id, limit: 2 });
  return onlyOne(found, 'subscription', id);
}
