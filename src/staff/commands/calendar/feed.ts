import { type Command, InvalidArgumentError } from 'commander';
import {
  addCalendarFeed,
  type CalendarFeed,
  calendarLabelHint,
  feedPath,
  type IssuedFeed,
  listCalendarFeeds,
  parseCalendarLabel,
  removeCalendarFeed,
  rotateCalendarFeed,
} from '../../../domain/calendar-feeds.js';
import { readStudio } from '../../../repositories/studio-settings.js';
import { idPrefix } from '../../arguments.js';
import {
  actorAtTerminal,
  type CommandContext,
  confirm,
  printResult,
  withSession,
} from '../../command-context.js';
import { onlyOne, StaffError } from '../../failure.js';
import type { Session, StaffServices } from '../../session.js';
import { localTime, shortId, table } from '../../text.js';

export function addFeedCommands(calendar: Command, commandContext: CommandContext): void {
  const feeds = calendar
    .command('feed')
    .description('secret addresses at which calendar programs read the bookings');
  addAddCommand(feeds, commandContext);
  addListCommand(feeds, commandContext);
  addRotateCommand(feeds, commandContext);
  addRemoveCommand(feeds, commandContext);
}

interface AddOptions {
  label: string;
  details?: true;
}

function addAddCommand(feeds: Command, commandContext: CommandContext): void {
  feeds
    .command('add')
    .description('make an address for one calendar program, and print it once')
    .requiredOption('--label <text>', 'what lists call it, such as "Phone"', label)
    .option('--details', 'show names, phone numbers and reasons of closures, not only initials')
    .addHelpText(
      'after',
      `
The calendar shows confirmed sessions and closures. Make an address for each device, so that one
can be replaced or removed without the others.

Examples:
  studio calendar feed add --label Phone
  studio calendar feed add --label "Ada's laptop" --details`,
    )
    .action(({ label, details }: AddOptions) =>
      withSession(commandContext, async (session) => {
        const added = await addCalendarFeed(session.services, actorAtTerminal(), {
          label,
          hasDetails: details === true,
        });
        if (added.outcome === 'refused') throw new StaffError('refused', added.message);
        printIssued(commandContext, session, 'added', added.issued);
      }),
    );
}

function addListCommand(feeds: Command, commandContext: CommandContext): void {
  feeds
    .command('list')
    .description('list the feeds, the newest first, without their addresses')
    .addHelpText(
      'after',
      '\nExamples:\n  studio calendar feed list\n  studio calendar feed list --json',
    )
    .action(() =>
      withSession(commandContext, async ({ services }) => {
        const rows = await listCalendarFeeds(services);
        const { timezone } = await readStudio(services.database);
        printResult(commandContext, rows, () =>
          rows.length === 0 ? ['No feeds.'] : feedTable(rows, timezone),
        );
      }),
    );
}

function addRotateCommand(feeds: Command, commandContext: CommandContext): void {
  feeds
    .command('rotate')
    .description('replace the address of a feed, and print the new one once')
    .argument('<id>', 'its id, or the first characters of its id', idPrefix)
    .option('-y, --yes', 'skip the question')
    .addHelpText('after', '\nExample:\n  studio calendar feed rotate 3f2a81c0 --yes')
    .action((id: string, { yes }: { yes?: true }) =>
      withSession(commandContext, async (session) => {
        const feed = await findFeed(session.services, id);
        await confirm(
          commandContext,
          `Replace the address of “${feed.label}”? The present one stops working at once.`,
          yes === true,
        );
        const issued = await rotateCalendarFeed(session.services, actorAtTerminal(), feed.id);
        if (issued === null) throw notFound(id);
        printIssued(commandContext, session, 'rotated', issued);
      }),
    );
}

function addRemoveCommand(feeds: Command, commandContext: CommandContext): void {
  feeds
    .command('remove')
    .description('remove a feed: its address stops working at once')
    .argument('<id>', 'its id, or the first characters of its id', idPrefix)
    .option('-y, --yes', 'skip the question')
    .addHelpText('after', '\nExample:\n  studio calendar feed remove 3f2a81c0 --yes')
    .action((id: string, { yes }: { yes?: true }) =>
      withSession(commandContext, async ({ services }) => {
        const feed = await findFeed(services, id);
        await confirm(commandContext, `Remove the feed “${feed.label}”?`, yes === true);
        const removed = await removeCalendarFeed(services, actorAtTerminal(), feed.id);
        if (removed === null) throw notFound(id);
        printResult(commandContext, { removed }, () => [`Removed: ${removed.label}.`]);
      }),
    );
}

function label(typed: string): string {
  const parsed = parseCalendarLabel(typed);
  if (parsed === null) throw new InvalidArgumentError(calendarLabelHint);
  return parsed;
}

async function findFeed(services: StaffServices, id: string): Promise<CalendarFeed> {
  const rows = await listCalendarFeeds(services);
  return onlyOne(
    rows.filter((row) => row.id.startsWith(id)),
    'feed',
    id,
  );
}

function notFound(id: string): StaffError {
  return new StaffError('notFound', `No feed has the id ${id}.`);
}

function printIssued(
  commandContext: CommandContext,
  { config }: Session,
  outcome: 'added' | 'rotated',
  { feed, token }: IssuedFeed,
): void {
  const url = `${config.publicBaseUrl}${feedPath(token)}`;
  printResult(commandContext, { [outcome]: feed, url }, () => [
    url,
    'Anyone who has this address can read the calendar: give it to nobody else. It is not shown again.',
    'Subscribe to it in a calendar program that reaches it:',
    '  iPhone   Settings, Calendar, Accounts, Add Account, Other, Add Subscribed Calendar',
    '  Mac      Calendar, File, New Calendar Subscription',
    '  Google   in a browser: Other calendars, From URL',
    '  Outlook  Add calendar, Subscribe from web',
  ]);
}

function feedTable(rows: readonly CalendarFeed[], timezone: string): string[] {
  return table(
    ['ID', 'LABEL', 'SHOWS', 'ADDED'],
    rows.map((row) => [
      shortId(row.id),
      row.label,
      row.has_details ? 'names and phones' : 'initials',
      localTime(row.created_at, timezone),
    ]),
  );
}
