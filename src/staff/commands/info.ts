import type { Command } from 'commander';
import { changeStudio } from '../../domain/studio-settings.js';
import { readStudio, type StudioChanges } from '../../repositories/studio-settings.js';
import type { StudioRow } from '../../repositories/studio.js';
import { country, email, text, timezone, website } from '../arguments.js';
import {
  actorAtTerminal,
  printResult,
  withSession,
  type CommandContext,
} from '../command-context.js';
import { StaffError } from '../failure.js';
import { count, facts, localTime } from '../text.js';

export function addInfoCommands(program: Command, commandContext: CommandContext): void {
  const info = program
    .command('info')
    .description("the studio's name, address, contact and time zone");

  info
    .command('show')
    .description('show the public details of the studio')
    .addHelpText('after', '\nExample:\n  studio info show')
    .action(() =>
      withSession(commandContext, async ({ services }) => {
        const studio = await readStudio(services.database);
        printResult(commandContext, studioData(studio), () =>
          studioText(studio, services.clock.now()),
        );
      }),
    );

  info
    .command('set')
    .description('change some details; the others stay as they are')
    .option('--name <text>', 'the name', text(120))
    .option('--description <text>', 'what the studio does, in a few sentences', text(2000))
    .option('--timezone <name>', 'the IANA time zone of its clock', timezone)
    .option('--street <text>', 'street and number', text(200))
    .option('--city <text>', 'city', text(120))
    .option('--region <text>', 'state or region', text(120))
    .option('--postal-code <text>', 'postal code', text(20))
    .option('--country <code>', 'country, two letters', country)
    .option('--email <address>', 'e-mail address', email)
    .option('--phone <text>', 'telephone number', text(40))
    .option('--website <address>', 'website', website)
    .addHelpText(
      'after',
      `
A change of the time zone moves open times to the new clock; existing bookings keep their
instant.

Examples:
  studio info set --name "Night Heron Tattoo" --phone "+1 555-555-0100"
  studio info set --timezone America/New_York`,
    )
    .action(async (options: InfoOptions) => {
      const changes = readChanges(options);
      await withSession(commandContext, async ({ services }) => {
        const outcome = await changeStudio(services, actorAtTerminal(), changes);
        const { studio, changed, bookingsInOtherZone } = outcome;
        printResult(
          commandContext,
          { changed, bookings_in_other_zone: bookingsInOtherZone, studio: studioData(studio) },
          () => changeText(outcome),
        );
      });
    });
}

type InfoOptions = Omit<StudioChanges, 'notices' | 'postal_code'> & { postalCode?: string };

function readChanges({ postalCode, ...others }: InfoOptions): StudioChanges {
  const changes = { ...others, ...(postalCode !== undefined && { postal_code: postalCode }) };
  if (Object.keys(changes).length === 0) {
    throw new StaffError('usage', 'Give at least one option; see: studio info set --help');
  }
  return changes;
}

function changeText({
  changed,
  bookingsInOtherZone,
  studio,
}: Awaited<ReturnType<typeof changeStudio>>): string[] {
  if (changed.length === 0) return ['These are already the values; nothing was changed.'];
  const lines = [`Changed: ${changed.join(', ')}.`];
  if (bookingsInOtherZone > 0) {
    lines.push(
      `Unchanged, from another time zone than ${studio.timezone}: ${count(bookingsInOtherZone, 'upcoming booking')} (see "studio bookings list").`,
    );
  }
  return lines;
}

function studioData({ id: _, ...studio }: StudioRow): Record<string, unknown> {
  return studio;
}

function studioText(studio: StudioRow, now: number): string[] {
  return facts([
    ['Name', studio.name],
    ['Description', studio.description],
    [
      'Address',
      `${studio.street}, ${studio.city}, ${studio.region} ${studio.postal_code}, ${studio.country}`,
    ],
    ['E-mail', studio.email],
    ['Phone', studio.phone],
    ['Website', studio.website],
    ['Time zone', `${studio.timezone}, where it is ${localTime(new Date(now), studio.timezone)}`],
    ...studio.notices.map(({ title, text }) => [`Notice: ${title}`, text] as const),
  ]);
}
