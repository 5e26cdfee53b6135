import type { Command } from 'commander';
import {
  addPlatform,
  removePlatform,
  setPlatform,
  type PlatformOutcome,
} from '../../access/platforms.js';
import type { PlatformRow } from '../../database/studio-tables.js';
import { listPlatforms } from '../../repositories/platforms.js';
import {
  actorAtTerminal,
  confirm,
  printResult,
  withSession,
  type CommandContext,
} from '../command-context.js';
import { StaffError } from '../failure.js';
import {
  commandWithLimits,
  limitChanges,
  platformName,
  ranges,
  type LimitOptions,
} from '../platform-arguments.js';
import { table } from '../text.js';

export function addPlatformCommands(program: Command, commandContext: CommandContext): void {
  const platforms = program
    .command('platforms')
    .description('hosted assistants that call for many people from a few addresses');
  addAddCommand(platforms, commandContext);
  addListCommand(platforms, commandContext);
  addSetCommand(platforms, commandContext);
  addRemoveCommand(platforms, commandContext);
}

function addAddCommand(platforms: Command, commandContext: CommandContext): void {
  commandWithLimits(platforms, 'add')
    .description('list a platform, so that limits count per person there, and for it as a whole')
    .argument('<range...>', 'the ranges of addresses that it calls from (CIDR)', ranges)
    .addHelpText(
      'after',
      `
Take the ranges from the platform's own documentation: any caller in them can invent people.

Examples:
  studio platforms add claude 160.79.104.0/21
  studio platforms add assistant 192.0.2.0/24 2001:db8::/32 --holds-per-hour 600`,
    )
    .action((name: string, given: string[], options: LimitOptions) =>
      withSession(commandContext, async ({ services }) => {
        const platform = { name, ranges: given, ...limitChanges(options) };
        const added = expectDone(await addPlatform(services, actorAtTerminal(), platform), name);
        printResult(commandContext, { added }, () => ['Added:', ...platformTable([added])]);
      }),
    );
}

function addListCommand(platforms: Command, commandContext: CommandContext): void {
  platforms
    .command('list')
    .description('list platforms with their ranges and limits')
    .addHelpText('after', '\nExamples:\n  studio platforms list\n  studio platforms list --json')
    .action(() =>
      withSession(commandContext, async ({ services }) => {
        const rows = await listPlatforms(services.database);
        printResult(commandContext, rows, () =>
          rows.length === 0 ? ['No platforms.'] : platformTable(rows),
        );
      }),
    );
}

function addSetCommand(platforms: Command, commandContext: CommandContext): void {
  commandWithLimits(platforms, 'set')
    .description('change the limits of a platform, or replace its ranges')
    .argument('[range...]', 'the ranges that replace the present ones', ranges)
    .addHelpText(
      'after',
      `
What is not given stays as it is.

Examples:
  studio platforms set claude --holds-per-hour 600 --live-bookings 200
  studio platforms set claude 160.79.104.0/21 2001:db8::/32`,
    )
    .action((name: string, given: string[], options: LimitOptions) => {
      const changes = { ...(given.length > 0 && { ranges: given }), ...limitChanges(options) };
      if (Object.keys(changes).length === 0) {
        throw new StaffError('usage', 'Give a range or an option: nothing would change.');
      }
      return withSession(commandContext, async ({ services }) => {
        const changed = expectDone(
          await setPlatform(services, actorAtTerminal(), name, changes),
          name,
        );
        printResult(commandContext, { changed }, () => ['Changed:', ...platformTable([changed])]);
      });
    });
}

function addRemoveCommand(platforms: Command, commandContext: CommandContext): void {
  platforms
    .command('remove')
    .description('remove a platform: its addresses are then callers like any other')
    .argument('<name>', 'its name', platformName)
    .option('-y, --yes', 'skip the question')
    .addHelpText('after', '\nExample:\n  studio platforms remove claude --yes')
    .action((name: string, { yes }: { yes?: true }) =>
      withSession(commandContext, async ({ services }) => {
        const rows = await listPlatforms(services.database);
        if (rows.every((row) => row.name !== name)) throw notFound(name);
        await confirm(commandContext, `Remove the platform ${name}?`, yes === true);
        const removed = await removePlatform(services, actorAtTerminal(), name);
        if (removed === null) throw notFound(name);
        printResult(commandContext, { removed }, () => [`Removed: ${name}.`]);
      }),
    );
}

function expectDone(outcome: PlatformOutcome, name: string): PlatformRow {
  if (outcome.outcome === 'done') return outcome.platform;
  if (outcome.outcome === 'unknown') throw notFound(name);
  if (outcome.outcome === 'exists') {
    throw new StaffError(
      'refused',
      `There is a platform ${name} already: "studio platforms set" changes it.`,
    );
  }
  const { name: other, range } = outcome.with;
  throw new StaffError('refused', `These addresses overlap with ${range} of ${other}.`);
}

function notFound(name: string): StaffError {
  return new StaffError('notFound', `There is no platform ${name}.`);
}

function platformTable(rows: readonly PlatformRow[]): string[] {
  return table(
    ['NAME', 'RANGES', 'READS/MINUTE', 'HOLDS/HOUR', 'LIVE BOOKINGS', 'PENDING HOLDS'],
    rows.map((row) => [
      row.name,
      row.ranges.join(', '),
      String(row.reads_per_minute),
      String(row.holds_per_hour),
      String(row.live_bookings),
      `${row.pending_holds_percent} %`,
    ]),
  );
}
