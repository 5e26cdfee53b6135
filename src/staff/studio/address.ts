import { Option } from 'commander';
import type { BookingRow } from '../../database/rows/schema.js';
import {
  type AddressOptions,
  removeAddress,
  type TouchedSessions,
} from '../../domain/studio/addresses.js';
import { addressWords, type DatedAddress } from '../../schedule/addresses.js';
import { date } from '../arguments.js';
import type { Run, StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import type { StaffServices } from '../session.js';
import { count } from '../text.js';
import { bookingData, bookingTable } from './booking-text.js';

export function addAddressCommands(info: StaffCommand): void {
  info
    .command('address')
    .description('addresses that count from a day to come')
    .command('remove')
    .description('take back an address that does not count yet')
    .argument('<date>', 'its first day, as "studio info show" lists it', date)
    .addOption(mailOption())
    .explain('\nExample:\n  studio info address remove 2027-01-15')
    .run(async (run, from: string, { mail }: TellOptions) => {
      const { services, actor, print } = run;
      const removed = await tellingPeople(run, mail, (told) =>
        removeAddress(services, actor, from, told),
      );
      if (removed.outcome === 'not_found') {
        throw new StaffError('not_found', `No address to come counts from ${from}.`);
      }
      const { address, touched, isTold } = removed;
      print(
        {
          removed: addressData(address),
          bookings_at_other_address: touched.map(bookingData(services)),
        },
        () => [
          `Taken back: ${addressWords(address)}, from ${from}.`,
          ...touchedText(services, touched, isTold),
        ],
      );
    });
}

export function addressData(address: DatedAddress) {
  const { from_date, street, city, region, postal_code, country } = address;
  return { from_date, street, city, region, postal_code, country };
}

/** The option to notify people that their sessions are at another address. */
export function mailOption(): Option {
  return new Option('--mail <yes|no>', 'mail the people whose sessions are then elsewhere')
    .choices(['yes', 'no'])
    .default('yes');
}

export interface TellOptions {
  mail: 'yes' | 'no';
}

/**
 * Changes an address; before people are mailed about it, lists their sessions and asks. While mail is
 * off, nobody is mailed.
 */
export async function tellingPeople<Outcome extends { outcome: string }>(
  { services, context, isSure, confirm, mode }: Run,
  mail: TellOptions['mail'],
  change: (told: Pick<AddressOptions, 'isQuiet' | 'listed'>) => Promise<Outcome | TouchedSessions>,
): Promise<Exclude<Outcome, TouchedSessions> & { isTold: boolean }> {
  const isQuiet = mail === 'no' || !mode.mail;
  const isAsked = !isQuiet && !isSure;
  let changed = await change({ isQuiet, listed: isAsked ? [] : undefined });
  if (isTouching(changed)) {
    const { touched } = changed;
    if (!context.wantsJson()) context.printError(bookingTable(services, touched));
    await confirm(
      `Give ${count(touched.length, 'session')} another address, and mail the people of confirmed ones?`,
    );
    changed = await change({ isQuiet, listed: touched });
  }
  if (isTouching(changed)) throw changedMeanwhile();
  return { ...(changed as Exclude<Outcome, TouchedSessions>), isTold: !isQuiet };
}

function isTouching(changed: { outcome: string }): changed is TouchedSessions {
  return changed.outcome === 'touches';
}

export function changedMeanwhile(): StaffError {
  return new StaffError('refused', 'The details have changed meanwhile; nothing was done.');
}

export function touchedText(
  services: StaffServices,
  touched: readonly BookingRow[],
  isTold: boolean,
): string[] {
  if (touched.length === 0) return [];
  const told = isTold ? 'with a mail for each confirmed one' : 'without a mail';
  return [
    `At another address, ${told}: ${count(touched.length, 'session')}`,
    ...bookingTable(services, touched),
  ];
}
