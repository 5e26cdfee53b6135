import type { TimeSlot } from '../../generated/schemas.js';
import type { ClosureRow } from '../database/rows/schema.js';
import { count } from '../schedule/words.js';

export { count };

// Strangers write names and ideas, which must not control the terminal: the control characters (C0,
// C1), line separators and the characters that change the direction of text.
const unsafe = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** The text on one line, with unsafe characters escaped as in JSON, so that JSON stays valid. */
export function printable(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').replace(unsafe, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Rows under headings, each column as wide as its longest cell; `none` if there are no rows. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  none?: string,
): string[] {
  if (rows.length === 0 && none !== undefined) return [none];
  const all = [headings, ...rows.map((row) => row.map(printable))];
  const widths = headings.map((_, column) =>
    Math.max(...all.map((row) => [...(row[column] ?? '')].length)),
  );
  return all.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
      .join('  ')
      .trimEnd(),
  );
}

/** Names and values, one pair per line, without the pairs that have no value. */
export function facts(pairs: readonly (readonly [string, string | null])[]): string[] {
  const shown = pairs.filter(([, value]) => value !== null && value !== '');
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${value ?? ''}`);
}

/** `2 watched calendars (Ada, Jon), 1 of 3 webhooks`: at most ten names of a kind. */
export function countNamed(
  kinds: readonly { kind: string; count: number; of?: number; names: readonly string[] }[],
): string {
  const texts = kinds.map(({ kind, count: number, of = number, names }) => {
    const counted = of > number ? `${number} of ${count(of, kind)}` : count(number, kind);
    const named = [...names.slice(0, 10), ...(names.length > 10 ? ['…'] : [])].join(', ');
    return named === '' ? counted : `${counted} (${named})`;
  });
  return texts.join(', ');
}

/** An instant in a time zone, `2026-12-01 09:00`; empty if there is none. */
export function localTime(instant: Date | null, timezone: string): string {
  if (instant === null) return '';
  // The Swedish format is that of ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'short',
  }).format(instant);
}

/** A range of slots: `2026-12-24`, `2026-12-24 to 2026-12-26`, `2026-12-24 at 1:00 PM`. */
export function slotsText(from: string, to: string, timeSlot: TimeSlot | null): string {
  const dates = from === to ? from : `${from} to ${to}`;
  return timeSlot === null ? dates : `${dates} at ${timeSlot}`;
}

/** What a closure closes: its dates, with a session or hours. */
export function closedText({ from_date, to_date, time_slot, from_time, to_time }: ClosureRow) {
  const hours = from_time === null ? '' : ` ${from_time}-${to_time}`;
  return `${slotsText(from_date, to_date, time_slot)}${hours}`;
}

/** The prefix that lists show and commands accept. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}
