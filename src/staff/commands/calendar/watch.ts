import type { Command } from 'commander';
import {
  type AddedWatch,
  addWatchedCalendar,
  fetchWatchedCalendar,
  listWatchedCalendars,
  removeWatchedCalendar,
  type WatchedCalendar,
} from '../../../domain/watched-calendars.js';
import { readStudio } from '../../../repositories/studio-settings.js';
import { listCalendarOverviews } from '../../../repositories/watched-calendars.js';
import { idPrefix } from '../../arguments.js';
import {
  actorAtTerminal,
  type CommandContext,
  confirm,
  printResult,
  withSession,
} from '../../command-context.js';
import { onlyOne, StaffError } from '../../failure.js';
import type { StaffServices } from '../../session.js';
import { shortId } from '../../text.js';
import { withReader } from '../../watch-services.js';
import { fetchText, watchData, watchTable } from '../../watch-text.js';
import { addCheckCommand } from './check.js';

const idArgument = ['<id>', 'its id, or the first characters of its id', idPrefix] as const;

export function addWatchCommands(calendar: Command, commandContext: CommandContext): void {
  const watch = calendar
    .command('watch')
    .description('calendars elsewhere whose busy events close slots');
  addAddCommand(watch, commandContext);
  addListCommand(watch, commandContext);
  addRemoveCommand(watch, commandContext);
  addFetchCommand(watch, commandContext);
  addCheckCommand(watch, commandContext);
}

function addAddCommand(watch: Command, commandContext: CommandContext): void {
  watch
    .command('add')
    .description('watch a calendar, and read it at once')
    .argument('<address>', 'its address in iCal format (https: or webcal:)')
    .option('--label <text>', 'how lists and mails call it (default: the host of the address)')
    .option('--anyway', 'watch it even if it cannot be read now')
    .addHelpText(
      'after',
      `
Every slot that one of its busy events overlaps is closed; bookings stay. It is read every ten
minutes. The address is a secret: it is stored encrypted and never shown again. One that cannot be
read is not watched without --anyway: until it can be read, it closes nothing.

Examples:
  studio calendar watch add https://calendar.example.com/private/ada.ics
  studio calendar watch add webcal://calendar.example.com/private/ada.ics --label "Ada"`,
    )
    .action((address: string, { label, anyway }: { label?: string; anyway?: true }) =>
      withReader(commandContext, async (services) => {
        const given = { address, label: label ?? null, evenIfUnreadable: anyway === true };
        const added = expectAdded(await addWatchedCalendar(services, actorAtTerminal(), given));
        await printFetch(commandContext, services, 'added', added);
      }),
    );
}

function addListCommand(watch: Command, commandContext: CommandContext): void {
  watch
    .command('list')
    .description('list watched calendars, when they were read, and what is wrong')
    .addHelpText(
      'after',
      '\nExamples:\n  studio calendar watch list\n  studio calendar watch list --json',
    )
    .action(() =>
      withSession(commandContext, async ({ services }) => {
        const calendars = await listWatchedCalendars(services);
        const { timezone } = await readStudio(services.database);
        printResult(commandContext, calendars.map(watchData), () =>
          calendars.length === 0 ? ['No calendars are watched.'] : watchTable(calendars, timezone),
        );
      }),
    );
}

function addRemoveCommand(watch: Command, commandContext: CommandContext): void {
  watch
    .command('remove')
    .description('watch a calendar no longer: the slots that it closed open again')
    .argument(...idArgument)
    .option('-y, --yes', 'skip the question')
    .addHelpText('after', '\nExample:\n  studio calendar watch remove 7c9e6679 --yes')
    .action((id: string, { yes }: { yes?: true }) =>
      withSession(commandContext, async ({ services }) => {
        const found = await findCalendar(services, id);
        await confirm(commandContext, `Watch ${found.label} no longer?`, yes === true);
        const removed = await removeWatchedCalendar(services, actorAtTerminal(), found.id);
        if (removed === null) throw notFound(id);
        printResult(commandContext, { removed: watchData(removed) }, () => [
          `Removed: ${removed.label} (${shortId(removed.id)}).`,
        ]);
      }),
    );
}

function addFetchCommand(watch: Command, commandContext: CommandContext): void {
  watch
    .command('fetch')
    .description('read a calendar now, whether or not it is its turn')
    .argument(...idArgument)
    .addHelpText('after', '\nExample:\n  studio calendar watch fetch 7c9e6679')
    .action((id: string) =>
      withReader(commandContext, async (services) => {
        const found = await findCalendar(services, id);
        const fetched = await fetchWatchedCalendar(services, found.id);
        if (fetched === null) throw notFound(id);
        await printFetch(commandContext, services, 'fetched', fetched);
      }),
    );
}

function expectAdded(added: AddedWatch): WatchedCalendar {
  if (added.outcome === 'added') return added.calendar;
  if (added.outcome === 'refused') throw new StaffError('refused', added.message);
  if (added.outcome === 'unreadable') {
    const anyway = 'To watch it nevertheless, give --anyway.';
    throw new StaffError(
      'refused',
      `It is not watched, since it cannot be read: ${added.message} ${anyway}`,
    );
  }
  const { label, id } = added.calendar;
  throw new StaffError('refused', `This calendar is watched already: ${label} (${shortId(id)}).`);
}

async function findCalendar(
  { database }: StaffServices,
  id: string,
): Promise<{ id: string; label: string }> {
  return onlyOne(await listCalendarOverviews(database, { idPrefix: id }), 'watched calendar', id);
}

function notFound(id: string): StaffError {
  return new StaffError('notFound', `No watched calendar has the id ${id}.`);
}

async function printFetch(
  commandContext: CommandContext,
  { database }: StaffServices,
  done: 'added' | 'fetched',
  calendar: WatchedCalendar,
): Promise<void> {
  const { timezone } = await readStudio(database);
  printResult(commandContext, { [done]: watchData(calendar) }, () => fetchText(calendar, timezone));
}
