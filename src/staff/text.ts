import type { TimeSlot } from '../../generated/schemas.js';

// Strangers write names and ideas: nothing of theirs may steer the terminal that shows it. Those
// are the control characters (C0, C1) and the ones that turn the direction of writing.
const steering = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * The text on one line, with characters that would steer the terminal shown as what they are. JSON on
 * one line stays the same JSON.
 */
export function printable(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').replace(steering, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Rows under headings, in columns as wide as their longest cell. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
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

/** Names and values, one pair a line; pairs without a value are left out. */
export function facts(pairs: readonly (readonly [string, string | null])[]): string[] {
  const shown = pairs.filter(([, value]) => value !== null && value !== '');
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${value ?? ''}`);
}

/** `1 booking`, `2 bookings`. */
export function count(number: number, noun: string): string {
  const plural =
    noun.endsWith('y') && !noun.endsWith('ey') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${number} ${number === 1 ? noun : plural}`;
}

/** An instant on the studio's clock: `2026-12-01 09:00`. */
export function localTime(instant: Date, timezone: string): string {
  // Swedish writes dates as ISO 8601 does.
  return new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'short',
  }).format(instant);
}

/** Which slots: `2026-12-24`, `2026-12-24 to 2026-12-26`, `2026-12-24 at 1:00 PM`. */
export function slotsText(from: string, to: string, timeSlot: TimeSlot | null): string {
  const dates = from === to ? from : `${from} to ${to}`;
  return timeSlot === null ? dates : `${dates} at ${timeSlot}`;
}

/** Enough of an id to name it by. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}
