import { calendarLabelHint, parseCalendarLabel } from '../../domain/calendar-feeds.js';
import type { NewWatch } from '../../domain/watched-calendars.js';
import { readText, type Fields } from '../../web/form-fields.js';

/** The form as it was typed. */
export interface TypedWatch {
  /** A secret: only in the response to the form that it came with. */
  address: string;
  label: string;
}

export type WatchMistakes = Partial<Record<keyof TypedWatch, string>>;

/** A form that was refused. */
export interface RefusedWatch {
  typed: TypedWatch;
  mistakes: WatchMistakes;
}

/** Reads a form that was posted. Throws `invalid_request` if it is not that of the page. */
export function readWatchForm({ address, label }: Fields): TypedWatch {
  return { address: readText(address), label: readText(label) };
}

/** What is to be watched; null if something is wrong with it. Only the domain checks the address. */
export function checkWatch({ address, label }: TypedWatch): {
  watch: NewWatch | null;
  mistakes: WatchMistakes;
} {
  if (address === '') {
    return { watch: null, mistakes: { address: 'Give the address of a calendar.' } };
  }
  if (label === '') return { watch: { address, label: null }, mistakes: {} };
  const parsed = parseCalendarLabel(label);
  return parsed === null
    ? { watch: null, mistakes: { label: calendarLabelHint } }
    : { watch: { address, label: parsed }, mistakes: {} };
}
