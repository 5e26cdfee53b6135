import { parseOffset } from '../../../icalendar/read/moments.js';
import { createZones } from '../../../icalendar/read/named-zones.js';
import { collectNotes } from '../../../icalendar/read/notes.js';
import { fixedZone, localMs, utcZone, type Zone } from '../../../icalendar/read/zones.js';
import { isCalendarDate } from '../../../schedule/dates.js';
import { timeOfDay } from '../../arguments.js';

export const dateOrders = ['mdy', 'dmy'] as const;
/** Whether `1/12/2026` is in January or in December. */
export type DateOrder = (typeof dateOrders)[number];

export interface ReadTime {
  /** Milliseconds since the epoch; of a date its first instant. */
  at: number;
  isDate: boolean;
  /** The zone that it was converted from, in words; null if it is the studio's own. */
  from: string | null;
}

const numeric = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d\d)(?!\d)/;
const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/;
const compact = /^(\d{4})(\d\d)(\d\d)(?!\d)/;
const monthFirst = /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?!\d)/i;
const dayFirst = /^(\d{1,2})(?:st|nd|rd|th)?[ -]([a-z]{3,9})\.?,?[ -](\d{4})(?!\d)/i;
const clock =
  /^(\d{1,2}(?::\d\d)?)(?::(\d\d)(?:[.,]\d+)?)?(?: ?([ap])\.?m\.?(?![a-z]))?(?: ?(Z|[+-]\d\d:?\d\d|\(?[A-Za-z][^]*))?$/i;
/** Hours from and to behind a date, or an offset, which programs write behind a `T` or seconds. */
const hours = / (\d?\d:\d\d) ?-(\d\d:\d\d)$/;
const weekday = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? /i;
/** Excel counts days from here, as if 1900 had been a leap year: 46364 is December 8, 2026. */
const excelEpoch = Date.UTC(1899, 11, 30);
/** A day of 2000 to 2099, and perhaps a part of it. */
const serialDate = /^(3[7-9]\d{3}|[4-6]\d{4}|7[0-2]\d{3})(?:\.0*(?= |$)|(?=[. ]|$))/;
const partOfDay = /^0?\.\d+$/;
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * The only order that all dates can have; if both, month first, as in the United States. `isGuessed`:
 * whether both are possible and some date differs.
 */
export function orderOf(texts: readonly string[]): { order: DateOrder; isGuessed: boolean } {
  const dates = texts.flatMap((text) => {
    const [, first, mark, second] = numeric.exec(text.trim().replace(weekday, '')) ?? [];
    return first === undefined ? [] : [{ first: Number(first), mark, second: Number(second) }];
  });
  if (dates.some(({ first }) => first > 12)) return { order: 'dmy', isGuessed: false };
  const isKnown = dates.some(({ mark, second }) => mark !== '.' && second > 12);
  const differs = dates.some(({ first, mark, second }) => mark !== '.' && first !== second);
  return { order: 'mdy', isGuessed: !isKnown && differs };
}

/**
 * Reads dates and times as other systems write them, in the studio's zone unless `zone` or the text says
 * another one. A reader returns a sentence for what cannot be read.
 */
export function createTimeReader(
  timezone: string,
  { zone = null, order }: { zone?: string | null; order: DateOrder },
): (text: string, ownZone?: string) => ReadTime | { mistake: string } {
  const notes = collectNotes();
  const zones = createZones(timezone, [], { floating: null, notes, isImport: true });
  const zoneOf = (name: string): Zone => {
    const offset = /^Z$/i.test(name) ? 0 : parseOffset(name);
    if (offset === null) return zones.named(name, 1);
    return offset === 0 ? utcZone : fixedZone(name, offset);
  };
  return (text, ownZone = '') => {
    const shown = `"${text.slice(0, 60)}"`;
    // A range counts by its begin; the zone may be behind the end.
    const [begin = '', end = ''] = text
      .normalize('NFKC')
      .replace(/\s+/g, ' ')
      .trim()
      .replace(hours, (all, from: string, to: string) =>
        from.padStart(5, '0') < to ? ` ${from}` : all,
      )
      .split(/ - |\s*[–—]\s*| to |(?<=[ap]\.?m\.?)-(?=\d)/i);
    const found = dateIn(begin.replace(weekday, ''), order);
    if (found === null) return { mistake: `${shown} cannot be read as a date` };
    const { date } = found;
    const rest = partOfDay.test(found.rest) ? timeOfPart(Number(found.rest)) : found.rest;
    const [, time, second = '0', half = '', written] = clock.exec(rest) ?? [];
    if (rest !== '' && time === undefined)
      return { mistake: `${shown} has no time that can be read` };
    const [, , , , behind] = clock.exec(dateIn(end.replace(weekday, ''), order)?.rest ?? end) ?? [];
    const name =
      (written ?? behind ?? '').replace(/^[([]|[)\]]$/g, '') || ownZone || zone || timezone;
    const from = zoneOf(name);
    if (from.latestOf !== undefined)
      return { mistake: `the time zone "${name.slice(0, 60)}" is not known` };
    const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
    const isOwn = from.id === zones.studio.id;
    if (time === undefined) {
      const at = from.instantOf(localMs(year, month, day));
      return { at, isDate: true, from: isOwn ? null : from.id };
    }
    let minutes: string;
    try {
      minutes = timeOfDay(
        `${time}${time.includes(':') || half !== '' ? '' : ':00'}${half && `${half}m`}`,
      );
    } catch {
      return { mistake: `${shown} has no time that can be read` };
    }
    const [hour = 0, minute = 0] = minutes.split(':').map(Number);
    const at = from.instantOf(localMs(year, month, day, hour, minute, Number(second)));
    return { at, isDate: false, from: isOwn ? null : `${minutes} in ${from.id}` };
  };
}

/** The time of a part of a day, to the second: `0.375` is `9:00:00`. */
function timeOfPart(part: number): string {
  return new Date(Math.round(part * 86_400) * 1_000).toISOString().slice(11, 19);
}

/** The date with which a text begins, and what is behind it. */
function dateIn(text: string, order: DateOrder): { date: string; rest: string } | null {
  const parts = datePartsOf(text, order);
  if (parts === null) return null;
  const [length, year, month, day] = parts;
  const two = (number: number) => String(number).padStart(2, '0');
  const date = `${year < 100 ? 2000 + year : year}-${two(month)}-${two(day)}`;
  const rest = text.slice(length).replace(/^(?:T(?=\d)|,? ?(?:at )?)/i, '');
  return isCalendarDate(date) ? { date, rest } : null;
}

type DateParts = [length: number, year: number, month: number, day: number];

function datePartsOf(text: string, order: DateOrder): DateParts | null {
  const [serial, days] = serialDate.exec(text) ?? [];
  if (serial !== undefined) {
    const day = new Date(excelEpoch + Number(days) * 86_400_000);
    return [serial.length, day.getUTCFullYear(), day.getUTCMonth() + 1, day.getUTCDate()];
  }
  const inOrder = iso.exec(text) ?? compact.exec(text);
  if (inOrder !== null) {
    const [all, year, month, day] = inOrder;
    return [all.length, Number(year), Number(month), Number(day)];
  }
  const inNumbers = numeric.exec(text);
  if (inNumbers !== null) {
    const [all, one, mark, other, year] = inNumbers;
    const [month, day] = order === 'dmy' || mark === '.' ? [other, one] : [one, other];
    return [all.length, Number(year), Number(month), Number(day)];
  }
  const first = monthFirst.exec(text);
  const [all, name, day, year] = first ?? reordered(dayFirst.exec(text));
  if (all === undefined || name === undefined) return null;
  return [
    all.length,
    Number(year),
    months.indexOf(name.slice(0, 3).toLowerCase()) + 1,
    Number(day),
  ];
}

function reordered(match: RegExpExecArray | null): (string | undefined)[] {
  return match === null ? [] : [match[0], match[2], match[1], match[3]];
}
