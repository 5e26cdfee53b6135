import type { TimeSlot } from '../../../generated/schemas.js';
import { isCalendarDate } from '../../schedule/dates.js';
import { timeSlots } from '../../schedule/slots.js';
import type { ListedBooking } from '../../domain/seen-booking.js';
import { formRefused, type Fields } from '../../web/form-fields.js';
import type { NewClosure } from '../../repositories/closures.js';
import { readListedBookings } from '../bookings/seen.js';

/** The form as it was typed. */
export interface TypedClosure {
  from: string;
  to: string;
  /** Empty: the whole day. */
  timeSlot: TimeSlot | '';
  reason: string;
  cancelBookings: boolean;
}

export type TypedMember = 'from' | 'to' | 'reason';
export type FormMistakes = Partial<Record<TypedMember, string>>;

export interface PostedClosure {
  typed: TypedClosure;
  /** The bookings that the form showed. */
  listed: ListedBooking[];
  /** Whether only the bookings on the dates were asked for. */
  isLook: boolean;
}

/** Reads a form that was posted. Throws `invalid_request` if it is not that of the page. */
export function readClosureForm(fields: Fields): PostedClosure {
  const { from, to, time_slot: slot, reason, bookings, listed = '', look } = fields;
  if (typeof from !== 'string' || typeof to !== 'string' || typeof reason !== 'string') {
    throw formRefused();
  }
  const timeSlot = timeSlots.find((known) => known === slot) ?? '';
  if (timeSlot === '' && slot !== '') throw formRefused();
  return {
    typed: {
      from: from.trim(),
      to: to.trim(),
      timeSlot,
      reason: reason.trim(),
      cancelBookings: bookings === 'cancel',
    },
    listed: readListedBookings(listed),
    isLook: look !== undefined,
  };
}

/** The dates, or what is wrong with them. A last date that is left empty is the first. */
export function closureOf(typed: TypedClosure): NewClosure | FormMistakes {
  const { from, to, timeSlot, reason } = typed;
  const mistakes: FormMistakes = {};
  if (!isCalendarDate(from)) mistakes.from = 'Give a date that exists, such as 2026-12-24.';
  if (to !== '' && !isCalendarDate(to)) mistakes.to = 'Give a date that exists, or none.';
  if (Object.keys(mistakes).length > 0) return mistakes;
  return { fromDate: from, toDate: to || from, timeSlot: timeSlot || null, reason };
}
