import type { TimeSlot } from '../../generated/schemas.js';
import { ServiceError } from '../errors.js';
import { isCalendarDate } from '../schedule/dates.js';
import { parseSlotKey, timeSlots, type Slot } from '../schedule/slots.js';

/** The fields of a form or of an address, unchecked: a name given twice has an array. */
export type Fields = Record<string, unknown>;

/** Null unless the fields `date` and `time_slot` name a slot of an existing date. */
export function readSlot({ date, time_slot }: Fields): Slot | null {
  if (typeof date !== 'string' || !isCalendarDate(date)) return null;
  if (!timeSlots.includes(time_slot as TimeSlot)) return null;
  return { date, timeSlot: time_slot as TimeSlot };
}

/** Null unless the text is the `slotKey` of a slot of an existing date. */
export function readSlotKey(text: unknown): Slot | null {
  if (typeof text !== 'string') return null;
  const { date, timeSlot } = parseSlotKey(text);
  return readSlot({ date, time_slot: timeSlot });
}

/** The refusal of a form that is not that of the page. */
export function formRefused(): ServiceError {
  return new ServiceError('invalid_request', {
    message: 'This form is incomplete or out of date. Open the page again.',
  });
}

/**
 * The field `sequence` of a form: the booking's sequence as the page showed it. Null if it is missing.
 * Throws `invalid_request` for anything but a number.
 */
export function readSequence(field: unknown): number | null {
  if (field === undefined) return null;
  if (typeof field === 'string' && /^\d{1,9}$/.test(field)) return Number(field);
  throw formRefused();
}

/** A text as it was typed, without space around it. Throws `invalid_request` for what is no text. */
export function readText(field: unknown): string {
  if (field === undefined) return '';
  // PostgreSQL stores no NUL, and no browser lets people type one.
  if (typeof field !== 'string' || field.includes('\0')) throw formRefused();
  // Browsers send line breaks as CR LF.
  return field.replaceAll('\r\n', '\n').trim();
}
