import { InvalidArgumentError } from 'commander';
import { checkRange, doOverlap } from '../../access/address-ranges.js';
import {
  addPlatform,
  removePlatform,
  setPlatform,
  type PlatformOutcome,
} from '../../access/platforms.js';
import { platformDefaults } from '../../config/limits.js';
import type { PlatformRow } from '../../database/rows/studio.js';
import { listPlatforms, type PlatformChanges } from '../../repositories/platforms.js';
import { checked, wholeNumber } from '../arguments.js';
import type { StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import { table } from '../text.js';

export function addPlatformCommands(program: StaffCommand): void {
  const platforms = program
    .command('platforms')
    .concerns('owner')
    .description('hosted assistants that call for many people from a few addresses');

  commandWithLimits(platforms, 'add')
    .description('list a platform, so that limits count per person there, and for it as a whole')
    .argument('<range...>', 'the ranges of addresses that it calls from (CIDR)', ranges)
    .explain(`
Take the ranges from the platform's own documentation: any caller in them can invent people.

Examples:
  studio platforms add claude 160.79.104.0/21
  studio platforms add assistant 192.0.2.0/24 2001:db8::/32 --holds-per-hour 600`)
    .run(async (run, name: string, given: string[], options: LimitOptions) => {
      const platform = { name, ranges: given, ...limitChanges(options) };
      const added = expectDone(await addPlatform(run.services, run.actor, platform), name);
      run.print({ added: platformData(added) }, () => ['Added:', ...platformTable([added])]);
    });

  platforms
    .command('list')
    .description('list platforms with their ranges and limits')
    .explain('\nExamples:\n  studio platforms list\n  studio platforms list --json')
    .run(async ({ services, print }) => {
      const rows = await listPlatforms(services.database);
      print(rows.map(platformData), () => platformTable(rows));
    });

  commandWithLimits(platforms, 'set')
    .description('change the limits of a platform, or replace its ranges')
    .argument('[range...]', 'the ranges that replace the present ones', ranges)
    .explain(`
What is not given stays as it is.

Examples:
  studio platforms set claude --holds-per-hour 600 --live-bookings 200
  studio platforms set claude 160.79.104.0/21 2001:db8::/32`)
    .check((_name: string, given: string[], options: LimitOptions) => {
      if (given.length > 0 || Object.keys(options).length > 0) return;
      throw new StaffError('usage', 'Give a range or an option: nothing would change.');
    })
    .run(async (run, name: string, given: string[], options: LimitOptions) => {
      const changes = { ...(given.length > 0 && { ranges: given }), ...limitChanges(options) };
      const changed = expectDone(await setPlatform(run.services, run.actor, name, changes), name);
      run.print({ changed: platformData(changed) }, () => [
        'Changed:',
        ...platformTable([changed]),
      ]);
    });

  platforms
    .command('remove')
    .description('remove a platform: its addresses are then callers like any other')
    .argument('<name>', 'its name', platformName)
    .explain('\nExample:\n  studio platforms remove claude --yes')
    .run(async ({ services, actor, confirm, print }, name: string) => {
      const rows = await listPlatforms(services.database);
      if (rows.every((row) => row.name !== name)) throw notFound(name);
      await confirm(`Remove the platform ${name}?`);
      const removed = await removePlatform(services, actor, name);
      if (removed === null) throw notFound(name);
      print({ removed: platformData(removed) }, () => [`Removed: ${name}.`]);
    });
}

/** Parses the name of a platform: it is a label of metrics, and staff type it. */
function platformName(value: string): string {
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(value)) {
    throw new InvalidArgumentError(
      'Give a name of 1 to 40 lower-case letters, digits and dashes, such as claude.',
    );
  }
  return value;
}

/** Parses ranges, one at a time. */
function ranges(value: string, before: readonly string[] = []): string[] {
  const range = checked(checkRange)(value);
  const overlapping = before.find((other) => doOverlap(range, other));
  if (overlapping !== undefined) {
    throw new InvalidArgumentError(`It overlaps with ${overlapping}.`);
  }
  return [...before, range];
}

interface LimitOptions {
  readsPerMinute?: number;
  holdsPerHour?: number;
  liveBookings?: number;
  pendingShare?: number;
}

/** A command on one platform, with options for its limits as a whole. */
function commandWithLimits(platforms: StaffCommand, name: string): StaffCommand {
  const { holdsPerHour, readsPerMinute, liveBookings, pendingHoldsPercent } = platformDefaults;
  const million = 1_000_000;
  return platforms
    .command(name)
    .argument('<name>', 'the name of the platform, such as claude', platformName)
    .option(
      '--holds-per-hour <n>',
      `holds of all its people together (${holdsPerHour})`,
      wholeNumber(1, million),
    )
    .option(
      '--reads-per-minute <n>',
      `reads of all its people together (${readsPerMinute})`,
      wholeNumber(1, million),
    )
    .option(
      '--live-bookings <n>',
      `its live bookings placed within 24 hours (${liveBookings})`,
      wholeNumber(1, 100_000),
    )
    .option(
      '--pending-share <percent>',
      `its share of MAX_PENDING_HOLDS (${pendingHoldsPercent})`,
      wholeNumber(1, 100),
    );
}

function limitChanges(options: LimitOptions): PlatformChanges {
  const { readsPerMinute, holdsPerHour, liveBookings, pendingShare } = options;
  return {
    ...(readsPerMinute !== undefined && { reads_per_minute: readsPerMinute }),
    ...(holdsPerHour !== undefined && { holds_per_hour: holdsPerHour }),
    ...(liveBookings !== undefined && { live_bookings: liveBookings }),
    ...(pendingShare !== undefined && { pending_holds_percent: pendingShare }),
  };
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
  return new StaffError('not_found', `There is no platform ${name}.`);
}

function platformData(row: PlatformRow) {
  const { name, ranges: listed, reads_per_minute, holds_per_hour, live_bookings } = row;
  const { pending_holds_percent, created_at } = row;
  return {
    ...{ name, ranges: listed, reads_per_minute, holds_per_hour, live_bookings },
    ...{ pending_holds_percent, created_at },
  };
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
    'No platforms.',
  );
}
