import type { TimeSlot } from '../../../generated/schemas.js';
import type { BookingRow } from '../../database/rows/schema.js';
import type { GivenPerson } from '../../domain/booking/person.js';
import { addBooking, type Agreement, moveByStudio } from '../../domain/studio/bookings.js';
import { cancelByStudio, maxCancellationReasonLength } from '../../domain/studio/cancellation.js';
import { recordNoShow } from '../../domain/studio/no-show.js';
import { personName } from '../../domain/studio/words.js';
import { bookingLabel, labelWith } from '../../schedule/words.js';
import { checkoutLink } from '../../secrets/links.js';
import { bookingView } from '../../views/booking.js';
import { date, personArguments, text, timeSlot } from '../arguments.js';
import { openKeyring } from '../command-context.js';
import type { StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import { shortId } from '../text.js';
import { bookingData, scheduleLines } from './booking-text.js';
import {
  afterAsking,
  changedMeanwhile,
  findBooking,
  findLiveBooking,
  slotRefused,
} from './find-booking.js';
import { addArtistOption, type ArtistOption, chosenArtist } from './named-artists.js';

type AddOptions = GivenPerson & ArtistOption;

export function addAddCommand(bookings: StaffCommand): void {
  const person = personArguments();
  const add = bookings
    .command('add')
    .description('add a confirmed booking, for a walk-in or a call')
    .argument('<date>', 'its date', date)
    .argument('<session>', 'its session, such as "1:00 PM"', timeSlot)
    .requiredOption('--name <name>', "the person's name", person.name)
    .option('--email <address>', "the person's e-mail address", person.email)
    .option('--phone <number>', "the person's US telephone number", person.phone)
    .option('--pronouns <pronouns>', "the person's pronouns", person.pronouns)
    .option('--idea <text>', 'what the person has in mind', person.idea);
  addArtistOption(add, 'with this artist')
    .explain(`
Notice, the limits on bookings, closures and the weekly schedule do not bind the studio: it can book
any slot that is free and not over. The link in the output opens the booking's page, where it can be
moved and cancelled: give the link to the person, and to nobody else. Without --artist, an artist is
chosen who works then and is free, if there is one. Where the person has another session at that time,
it asks; --yes adds a second one.

Examples:
  studio bookings add 2026-12-02 "1:00 PM" --name "Ada Park"
  studio bookings add 2026-12-02 1pm --name "Ada Park" --phone "(503) 555-0142" --idea "A heron"`)
    .run(async (run, day: string, session: TimeSlot, options: AddOptions) => {
      const { services, actor, print } = run;
      const { artist, ...given } = options;
      const { artistId, artistName } = chosenArtist(run, { artist });
      const slot = { date: day, timeSlot: session, artistId };
      // The link is stored encrypted.
      const keyring = await openKeyring(services);
      const add = (agreement: Agreement) =>
        addBooking({ ...services, keyring }, actor, slot, given, agreement);
      const outcome = await afterAsking(run, 'Add this one', add);
      if (outcome.outcome !== 'added') throw slotRefused(slot, artistName, outcome.outcome);
      const { booking, checkoutToken, schedule } = outcome;
      const checkoutUrl = checkoutLink(services.config.publicBaseUrl, checkoutToken);
      print({ added: bookingData(services)(booking), checkout_url: checkoutUrl, schedule }, () => [
        `Added: ${booking.label}, for ${booking.name} (${shortId(booking.id)}).`,
        ...scheduleLines(schedule, booking.artist_name),
        `The person's page: ${checkoutUrl}`,
      ]);
    });
}

export function addMoveCommand(bookings: StaffCommand): void {
  const move = bookings
    .command('move')
    .description('move a hold or a confirmed booking to another slot; the old one is free at once')
    .withId()
    .argument('<date>', 'the new date', date)
    .argument('<session>', 'the new session, such as "1:00 PM"', timeSlot);
  addArtistOption(move, 'to this artist')
    .explain(`
Closures, the weekly schedule and the limits on the person's own moves do not bind the studio: any
slot that is free and not over will do. The link of the booking's page stays the same. Without
--artist, the artist stays if they are free. To move it to another artist only, give its own time.

Examples:
  studio bookings move 0b9b64f5 2026-12-02 "1:00 PM"
  studio bookings move 0b9b64f5 2026-12-02 1pm --yes`)
    .run(async (run, id: string, day: string, session: TimeSlot, options: ArtistOption) => {
      const { services, actor, confirm, print } = run;
      const { artistId, artistName } = chosenArtist(run, options);
      const slot = { date: day, timeSlot: session, artistId };
      const found = await findLiveBooking(services, id);
      const to = labelWith(bookingLabel(slot), artistName);
      await confirm(`Move ${found.label} of ${personName(found)} to ${to}?`);
      const { sequence } = found;
      const outcome = await afterAsking(run, 'Move it', (agreement) =>
        moveByStudio(services, actor, found.id, slot, { sequence, ...agreement }),
      );
      switch (outcome.outcome) {
        case 'moved':
          break;
        case 'not_found':
        case 'not_live':
        case 'changed':
          throw changedMeanwhile(outcome, id);
        case 'same_slot':
          throw new StaffError(
            'refused',
            `The booking is on ${outcome.booking.label} already; nothing was changed.`,
          );
        default:
          throw slotRefused(slot, artistName, outcome.outcome);
      }
      const { booking, from, schedule } = outcome;
      print(
        {
          moved: bookingData(services)(booking),
          from: { date: from.date, time_slot: from.time_slot, ...artistData(from) },
          schedule,
        },
        () => [
          `Moved: from ${from.label} to ${booking.label}.`,
          ...scheduleLines(schedule, booking.artist_name),
        ],
      );
    });
}

function artistData({ artist_name: name }: BookingRow) {
  return name === null ? {} : { artist: { name } };
}

interface CancelOptions {
  reason?: string | null;
  word?: string | null;
}

export function addCancelCommand(bookings: StaffCommand): void {
  const words = text(maxCancellationReasonLength);
  bookings
    .command('cancel')
    .description('cancel a hold or a confirmed booking; its slot is free at once')
    .withId()
    .option(
      '--reason <text>',
      `the reason, in the mail to the person, at most ${maxCancellationReasonLength} characters`,
      words,
    )
    .option('--word <text>', 'a line for the page of the booking, in the mail as well', words)
    .explain(`
Both texts are kept with the booking and erased with the personal data.

Examples:
  studio bookings cancel 0b9b64f5
  studio bookings cancel 0b9b64f5 --reason "The artist is ill." --word "We owe you one." --yes`)
    .run(async (run, id: string, { reason = null, word = null }: CancelOptions) => {
      const { services, actor, confirm, print } = run;
      const booking = await findLiveBooking(services, id);
      await confirm(`Cancel ${booking.label} of ${personName(booking)}?`);
      const { sequence } = booking;
      const given = { reason, word, sequence };
      const outcome = await cancelByStudio(services, actor, booking.id, given);
      if (outcome.outcome !== 'cancelled') throw changedMeanwhile(outcome, id);
      print({ cancelled: bookingData(services)(outcome.booking) }, () => [
        `Cancelled: ${booking.label}. The slot is free again.`,
      ]);
    });
}

export function addNoShowCommand(bookings: StaffCommand): void {
  bookings
    .command('no-show')
    .description('record that the person of a session that has begun did not come')
    .withId()
    .option('--undo', 'remove that record')
    .explain(`
Only the studio sees the record. Moving the booking removes it as well.

Examples:
  studio bookings no-show 0b9b64f5
  studio bookings no-show 0b9b64f5 --undo`)
    .run(async ({ services, actor, print }, id: string, { undo = false }: { undo?: boolean }) => {
      const { id: bookingId, sequence } = await findBooking(services, id);
      const outcome = await recordNoShow(services, actor, bookingId, { undo, sequence });
      if (outcome.outcome === 'not_found' || outcome.outcome === 'changed') {
        throw changedMeanwhile(outcome, id);
      }
      const { booking } = outcome;
      if (outcome.outcome !== 'recorded') {
        const why = {
          unchanged: undo ? 'is not recorded as a no-show' : 'is already recorded as a no-show',
          not_begun: 'has not begun',
          not_confirmed: `is ${bookingView(booking, services.clock.now()).status}, and only a confirmed session can be missed`,
        }[outcome.outcome];
        throw new StaffError('refused', `${booking.label} ${why}; nothing was changed.`);
      }
      print({ booking: bookingData(services)(booking) }, () => [
        undo ? `No longer a no-show: ${booking.label}.` : `Recorded: no-show, ${booking.label}.`,
      ]);
    });
}
