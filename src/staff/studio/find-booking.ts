import type { BookingRow } from '../../database/rows/schema.js';
import { listBookings } from '../../domain/studio/booking-record.js';
import { questionKey, type SlotRefusal } from '../../domain/studio/bookings.js';
import type { CorrectionQuestion } from '../../domain/studio/correction.js';
import { questionWords } from '../../domain/studio/words.js';
import { isLive } from '../../schedule/slots.js';
import type { Slot } from '../../schedule/slots.js';
import { bookingLabel, labelWith } from '../../schedule/words.js';
import { bookingView } from '../../views/booking.js';
import type { Run } from '../command.js';
import { noSuch, onlyOne, StaffError } from '../failure.js';
import type { StaffServices } from '../session.js';

/** Throws `not_found`, or `refused` if several ids begin with it. */
export async function findBooking(services: StaffServices, id: string): Promise<BookingRow> {
  const { rows } = await listBookings(services, { idPrefix: id }, { limit: 2 });
  return onlyOne(rows, 'booking', id);
}

/** Like `findBooking`; throws `refused` for a cancelled or expired booking, too. */
export async function findLiveBooking(services: StaffServices, id: string): Promise<BookingRow> {
  const booking = await findBooking(services, id);
  const { status } = bookingView(booking, services.clock.now());
  if (!isLive(status)) throw notLive({ ...booking, status });
  return booking;
}

/** The failure for a booking that was removed, ended or changed since it was found. */
export function changedMeanwhile(
  { outcome, booking }: { outcome: string; booking?: Pick<BookingRow, 'label' | 'status'> },
  id: string,
): StaffError {
  if (booking === undefined) return noSuch('booking', id);
  if (outcome === 'not_live') return notLive(booking);
  return new StaffError(
    'refused',
    `The booking has changed meanwhile, and is now on ${booking.label}; nothing was done. Run the command again.`,
  );
}

function notLive({ label, status }: Pick<BookingRow, 'label' | 'status'>): StaffError {
  // A hold that is still `pending` here has lapsed by the database's clock, which decides.
  const shown = status === 'pending' ? 'expired' : status;
  return new StaffError('refused', `${label} is already ${shown}; nothing was changed.`);
}

/** The failure for a slot that the studio cannot have, with the artist of that name if one is given. */
export function slotRefused(
  slot: Slot,
  artistName: string | null,
  refusal: SlotRefusal,
): StaffError {
  const why: Record<SlotRefusal, string> = {
    taken: 'is taken',
    over: 'is over',
    no_such_slot: "does not exist in the studio's time zone",
  };
  const label = labelWith(bookingLabel(slot), artistName);
  return new StaffError('refused', `${label} ${why[refusal]}; nothing was changed.`);
}

/**
 * Makes a change of the studio's. Asks first whether the person may have two sessions at one time, or two
 * clients become one; `act` names the change in that question: `Move it`.
 */
export async function afterAsking<Outcome extends { outcome: string }>(
  { confirm }: Pick<Run, 'confirm'>,
  act: string,
  change: (agreement: { agreed: string[] }) => Promise<Outcome | CorrectionQuestion>,
): Promise<Exclude<Outcome, CorrectionQuestion>> {
  const agreed: string[] = [];
  let changed = await change({ agreed });
  while ('other' in changed) {
    await confirm(`${questionWords(changed)} ${act} all the same?`);
    agreed.push(questionKey(changed));
    changed = await change({ agreed });
  }
  return changed as Exclude<Outcome, CorrectionQuestion>;
}
