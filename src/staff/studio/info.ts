import type { StudioChanges } from '../../database/rows/results.js';
import type { StudioRow } from '../../database/rows/studio.js';
import { studioFields } from '../../domain/studio/fields.js';
import {
  changeStudio,
  type ChangedStudio,
  readStudioDetails,
} from '../../domain/studio/settings.js';
import {
  addressMembers,
  addressWords,
  type DatedAddress,
  type PostalAddress,
} from '../../schedule/addresses.js';
import { slotOf } from '../../schedule/slots.js';
import { bookingLabel, labelWith } from '../../schedule/words.js';
import { checked, date } from '../arguments.js';
import type { Run, StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import { count, facts, localTime, shortId } from '../text.js';
import {
  addAddressCommands,
  addressData,
  changedMeanwhile,
  mailOption,
  tellingPeople,
  type TellOptions,
  touchedText,
} from './address.js';
import { bookingData } from './booking-text.js';

export function addInfoCommands(program: StaffCommand): void {
  const info = program
    .command('info')
    .concerns('owner')
    .description("the studio's name, address, contact and time zone");

  info
    .command('show')
    .description('show the public details of the studio')
    .explain('\nExample:\n  studio info show')
    .run(async ({ services, print }) => {
      const { studio, coming } = await readStudioDetails(services);
      const data = { ...studioData(studio), addresses_to_come: coming.map(addressData) };
      print(data, () => studioText(studio, coming, services.clock.now()));
    });

  info
    .command('set')
    .description('change some details; the others stay as they are')
    .option('--name <text>', 'the name', checked(studioFields.name))
    .option(
      '--description <text>',
      'what the studio does, in a few sentences',
      checked(studioFields.description),
    )
    .option('--timezone <name>', 'the IANA time zone of its clock', checked(studioFields.timezone))
    .option('--street <text>', 'street and number', checked(studioFields.street))
    .option('--city <text>', 'city', checked(studioFields.city))
    .option('--region <text>', 'state or region', checked(studioFields.region))
    .option('--postal-code <text>', 'postal code', checked(studioFields.postal_code))
    .option('--country <code>', 'country, two letters', checked(studioFields.country))
    .option('--address-from <date>', 'the first day of this address, such as 2027-01-15', date)
    .addOption(mailOption())
    .option('--email <address>', 'e-mail address', checked(studioFields.email))
    .option('--phone <text>', 'telephone number', checked(studioFields.phone))
    .option('--website <address>', 'website', checked(studioFields.website))
    .explain(`
A change of the time zone moves open times to the new clock. What is booked keeps its instant, closes
what it overlaps, and is listed by "studio bookings conflicts" until it is moved or over.

An address counts at once, or from a day on; sessions before that day stay at the present one. Each
session whose place changes gets one mail, and shows it in calendars; --mail no sends none, as for a
mistake in the street.

Examples:
  studio info set --name "Night Heron Tattoo" --phone "+1 555-555-0100"
  studio info set --timezone America/New_York
  studio info set --street "7 Oak Street" --postal-code 97202 --address-from 2027-01-15`)
    .check(readChanges)
    .run(async (run, options: InfoOptions) => {
      const { services, actor, isSure, print } = run;
      const { addressFrom, mail } = options;
      const changes = readChanges(options);
      if (changes.timezone !== undefined && !isSure) {
        await askAboutBookings(run, changes.timezone);
      }
      const outcome = await tellingPeople(run, mail, (told) =>
        changeStudio(services, actor, changes, {}, { from: addressFrom, ...told }),
      );
      if (outcome.outcome === 'past') {
        throw new StaffError('usage', `${addressFrom} is in the past.`);
      }
      if (outcome.outcome === 'changed') throw changedMeanwhile();
      const { studio, changed, bookingsInOtherZone, touched, isTold } = outcome;
      print(
        {
          changed,
          bookings_in_other_zone: bookingsInOtherZone,
          bookings_at_other_address: touched.map(bookingData(services)),
          studio: studioData(studio),
        },
        () => [...changeText(outcome, addressFrom), ...touchedText(services, touched, isTold)],
      );
    });

  addAddressCommands(info);
}

/** Asks about bookings on another clock than that of the new time zone. */
async function askAboutBookings({ services, confirm }: Run, timezone: string): Promise<void> {
  const { bookingsInOtherZone: bookings } = await readStudioDetails(services, timezone);
  if (bookings.length === 0) return;
  const listed = bookings.slice(0, mostListed).map((booking) => {
    const when = `${bookingLabel(slotOf(booking))} (${booking.timezone})`;
    return `${labelWith(when, booking.artist_name)} (${shortId(booking.id)})`;
  });
  const more = bookings.length > mostListed ? ` and ${bookings.length - mostListed} more` : '';
  await confirm(
    `These are booked, and keep their instants: ${listed.join('; ')}${more}. Change the time zone to ${timezone}?`,
  );
}

const mostListed = 20;

interface InfoOptions extends TellOptions, Omit<StudioChanges, 'notices' | 'postal_code'> {
  addressFrom?: string;
  postalCode?: string;
}

function readChanges({ addressFrom, mail: _, postalCode, ...others }: InfoOptions): StudioChanges {
  const changes = { ...others, ...(postalCode !== undefined && { postal_code: postalCode }) };
  if (Object.keys(changes).length === 0) {
    throw new StaffError('usage', 'Give at least one option; see: studio info set --help');
  }
  if (addressFrom !== undefined && !addressMembers.some((member) => member in changes)) {
    throw new StaffError('usage', 'Give the address that counts from that day.');
  }
  return changes;
}

function changeText(
  { changed, bookingsInOtherZone, studio }: Extract<ChangedStudio, { outcome: 'saved' }>,
  addressFrom: string | undefined,
): string[] {
  if (changed.length === 0) return ['These are already the values; nothing was changed.'];
  const lines = [`Changed: ${changed.join(', ')}.`];
  if (addressFrom !== undefined) lines.push(`The address counts from ${addressFrom} on.`);
  if (bookingsInOtherZone > 0) {
    lines.push(
      `Unchanged, from another time zone than ${studio.timezone}: ${count(bookingsInOtherZone, 'upcoming booking')} (see "studio bookings conflicts").`,
    );
  }
  return lines;
}

function studioData(studio: StudioRow): Record<string, unknown> {
  const { name, description, timezone, street, city, region, postal_code, country } = studio;
  const { email, phone, website, notices } = studio;
  return {
    ...{ name, description, timezone },
    ...{ street, city, region, postal_code, country },
    ...{ email, phone, website, notices },
  };
}

function studioText(studio: StudioRow, coming: readonly DatedAddress[], now: number): string[] {
  return facts([
    ['Name', studio.name],
    ['Description', studio.description],
    ['Address', wholeAddress(studio)],
    ...coming.map((address) => [`From ${address.from_date}`, wholeAddress(address)] as const),
    ['E-mail', studio.email],
    ['Phone', studio.phone],
    ['Website', studio.website],
    ['Time zone', `${studio.timezone}, where it is ${localTime(new Date(now), studio.timezone)}`],
    ...studio.notices.map(({ title, text }) => [`Notice: ${title}`, text] as const),
  ]);
}

function wholeAddress(address: PostalAddress): string {
  return `${addressWords(address)}, ${address.country}`;
}
