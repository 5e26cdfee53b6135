import { Ajv, type ErrorObject } from 'ajv';
import { withTextRule } from '../../../platform/text-rule.js';
import { dayMs } from '../../../schedule/dates.js';
import { slotOf, slotStartsAt, wallClockOf } from '../../../schedule/slots.js';
import { addFormats, keepClosestBranch, validationMessage } from '../../validation-messages.js';
import { checkArtistName, maxAboutLength } from '../artists.js';
import { checkEmail, type FieldCheck, noticeFields, studioFields, textOf } from '../fields.js';
import { findDayProblem } from '../week.js';
import type {
  ArtistsDocument,
  BookingLine,
  ClosureLine,
  StudioDocument,
  WeekDocument,
} from './format.js';

/** A row, or the problem of its text: a clause that never quotes it. */
export type ReadRow<Row> = { row: Row } | { problem: string };

/** The problem of a line that is cut or written over, which is more than a row that can be left out. */
export const notJson = 'it is not JSON in UTF-8';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A reader of rows that keep the schema and pass the check. */
export function rowReader<Row extends object>(
  schema: object,
  check: (row: Row) => string | null = () => null,
): (text: Uint8Array) => ReadRow<Row> {
  // `allErrors` is off: one problem of a row is shown.
  const ajv = new Ajv({ verbose: true, messages: false, allowUnionTypes: true });
  addFormats(ajv);
  const validate = ajv.compile(withTextRule(schema));
  return (text) => {
    let row: unknown;
    try {
      row = JSON.parse(utf8.decode(text));
    } catch {
      return { problem: notJson };
    }
    if (validate(row)) {
      const problem = check(row as Row);
      return problem === null ? { row: row as Row } : { problem };
    }
    const [error] = keepClosestBranch(validate.errors ?? []);
    return { problem: error === undefined ? 'it is not as documented' : clauseOf(error) };
  };
}

function clauseOf(error: ErrorObject): string {
  const { missingProperty } = error.params as { missingProperty?: string };
  const path = [
    ...error.instancePath.split('/').slice(1),
    ...(missingProperty ? [missingProperty] : []),
  ];
  return `${path.join('.') || 'it'} ${validationMessage(error)}`;
}

/** The problem of a row that keeps its schema, at `now` (ms since the epoch); null without one. */
export type Check<Row> = (row: Row, now: number) => string | null;

type Rule<Row> = [problem: string, isBroken: (row: Row, now: number) => boolean];

const byRules =
  <Row>(rules: readonly Rule<Row>[]): Check<Row> =>
  (row, now) =>
    rules.find(([, isBroken]) => isBroken(row, now))?.[0] ?? null;

const knownZones = new Map<string, boolean>();

function isKnownZone(timezone: string): boolean {
  let isKnown = knownZones.get(timezone);
  if (isKnown === undefined) {
    const checked = studioFields.timezone(timezone);
    isKnown = 'value' in checked && checked.value === timezone;
    knownZones.set(timezone, isKnown);
  }
  return isKnown;
}

export const checkStudio: Check<StudioDocument> = (studio, now) => {
  const { address, other_addresses: others, notices, zone_data: zones } = studio;
  const mistakes = [
    ...mistakesIn('', studioFields, { ...studio, ...address }),
    ...others.flatMap((each) => mistakesIn('other_addresses.', studioFields, each)),
    ...notices.flatMap((each) => mistakesIn('notices.', noticeFields, each)),
  ];
  if (areDoubled(others.map(({ from_date }) => from_date))) {
    mistakes.push('two other_addresses count from one date');
  }
  if (areDoubled(zones.map(({ timezone }) => timezone))) {
    mistakes.push('zone_data has a time zone twice');
  }
  if (zones.some(({ version }) => isOfLaterYear(version, now))) {
    mistakes.push('zone_data has a version of a later year than the next');
  }
  return mistakes[0] ?? null;
};

function mistakesIn(
  path: string,
  checks: Readonly<Partial<Record<string, FieldCheck>>>,
  texts: object,
): string[] {
  return Object.entries(texts).flatMap(([member, text]) => {
    const checked = checks[member]?.(text as string);
    return checked !== undefined && 'problem' in checked
      ? [`${path}${member}: ${checked.problem}`]
      : [];
  });
}

/** Whether a version is of a later year: it would keep the service from following any real data. */
function isOfLaterYear(version: string, now: number): boolean {
  return Number(version.slice(0, 4)) > new Date(now).getUTCFullYear() + 1;
}

function areDoubled(values: readonly string[]): boolean {
  return new Set(values).size < values.length;
}

export const checkWeek: Check<WeekDocument> = (week) => {
  const isOrdinary = ({ weekday, from_date }: WeekDocument[number], index: number) =>
    weekday === index + 1 && from_date === undefined;
  if (!week.slice(0, 7).every(isOrdinary)) return 'it must have the weekdays from 1 to 7 in order';
  const wrong = checkDays(week);
  return wrong ?? week.map(findDayProblem).find((found) => found !== null)?.problem ?? null;
};

type WeekDocumentDay = Omit<WeekDocument[number], 'opens' | 'closes'> &
  Partial<WeekDocument[number]>;

/** Days of the studio or an artist: two of one weekday, of every week or of some date, are one too many. */
function checkDays(days: readonly WeekDocumentDay[]): string | null {
  const all = days.map(({ opens = null, closes = null, from_date: from = null, ...day }) => {
    return { weekday: day.weekday, opens, closes, from, to: day.to_date ?? null };
  });
  if (all.some(({ opens, closes }) => (opens === null) !== (closes === null))) {
    return 'opens and closes must both be null, or neither';
  }
  if (all.some(({ from, to }) => (from === null) !== (to === null) || (from ?? '') > (to ?? ''))) {
    return 'from_date must have a to_date that is not before it';
  }
  const isDoubled = all.some(({ weekday, from, to }, index) =>
    all.slice(0, index).some((other) => {
      if (other.weekday !== weekday || (other.from === null) !== (from === null)) return false;
      return from === null || ((other.from ?? '') <= (to ?? '') && from <= (other.to ?? ''));
    }),
  );
  return isDoubled ? 'a weekday has two days for one date' : null;
}

export const checkArtists: Check<ArtistsDocument> = (artists) => {
  if (areDoubled(artists.map(({ slug }) => slug))) return 'two artists have one slug';
  if (areDoubled(artists.map(({ name }) => name.toLowerCase()))) return 'two artists have one name';
  if (artists.length > 1 && artists.some(({ name }) => name === '')) {
    return 'one of several artists has no name';
  }
  if (artists.every(({ hidden_at }) => hidden_at !== null)) return 'all artists are hidden';
  if (artists.some(({ is_new, hidden_at }) => is_new && hidden_at === null)) {
    return 'an artist who is new must be hidden';
  }
  const isBefore = ({ first_day: first, last_day: last }: ArtistsDocument[number]) =>
    first != null && last != null && last < first;
  if (artists.some(isBefore)) return 'a last_day is before the first_day';
  const wrong = artists.map(({ week }) => checkDays(week ?? [])).find((found) => found !== null);
  if (wrong !== undefined) return wrong;
  const mistakes = artists.flatMap((artist) =>
    mistakesIn('', artistFields, { ...artist, email: artist.email ?? undefined }),
  );
  return mistakes[0] ?? null;
};

const artistFields: Record<string, FieldCheck> = {
  name: (name) => {
    if (name === '') return { value: '' };
    const checked = checkArtistName(name);
    const isOwn = 'value' in checked && checked.value === name;
    return isOwn ? checked : { problem: 'it cannot be a name' };
  },
  about: (about) => (about === '' ? { value: '' } : textOf(maxAboutLength)(about)),
  email: (email) => (email === undefined ? { value: '' } : checkEmail(email)),
};

export const checkClosure = byRules<ClosureLine>([
  ['to_date is before from_date', ({ from_date, to_date }) => to_date < from_date],
  [
    'from_time and to_time are not hours of one date',
    ({ from_date, to_date, time_slot, from_time: from = null, to_time: to = null }) => {
      if (from === null || to === null) return from !== to;
      return from >= to || from_date !== to_date || time_slot !== null;
    },
  ],
]);

const at = (instant: string) => Date.parse(instant);

/** The constraints of the table; the instant must be that of the slot. */
export const checkBooking = byRules<BookingLine>([
  ['timezone is unknown to this version of Node.js', (row) => !isKnownZone(row.timezone)],
  ['starts_at is not the time of date and time_slot', (row) => !isAtItsSlot(row)],
  [
    'ends_at is not within a day after starts_at',
    ({ starts_at: starts, ends_at: ends }) =>
      ends !== null && (at(ends) <= at(starts) || at(ends) > at(starts) + dayMs),
  ],
  [
    'a hold ends more than a day from now',
    (row, now) => row.status === 'pending' && at(row.expires_at) > now + dayMs,
  ],
  ['expires_at is not after created_at', (row) => at(row.expires_at) <= at(row.created_at)],
  [
    'only an expired booking has expired_at, which is its expires_at',
    (row) =>
      (row.status === 'expired') !== (row.expired_at !== null) ||
      (row.expired_at !== null && at(row.expired_at) !== at(row.expires_at)),
  ],
  [
    'only a cancelled booking has cancelled_at',
    (row) => (row.status === 'cancelled') !== (row.cancelled_at !== null),
  ],
  [
    'a confirmed booking has confirmed_at',
    (row) => row.status === 'confirmed' && row.confirmed_at === null,
  ],
  [
    'confirmed_at is not before expires_at',
    (row) => row.confirmed_at !== null && at(row.confirmed_at) >= at(row.expires_at),
  ],
  [
    'no_show_at is before starts_at',
    (row) => row.no_show_at !== null && at(row.no_show_at) < at(row.starts_at),
  ],
  [
    'zone_data_version is of a later year than the next',
    ({ zone_data_version: version }, now) => version !== null && isOfLaterYear(version, now),
  ],
  [
    'only a cancelled booking has cancellation_reason',
    (row) => row.cancellation_reason !== null && row.status !== 'cancelled',
  ],
]);

/** The data of a zone may change its offset between the booking and now, but by no more than this. */
const maxOffsetChangeMs = 3 * 3_600_000;

/** Whether the start is the slot's; by its text too, since the data of the zone may have changed. */
function isAtItsSlot({ timezone, starts_at: startsAt, ...slot }: BookingLine): boolean {
  const difference = at(startsAt) - slotStartsAt(timezone, slot.date, slot.time_slot).epochMs;
  if (difference === 0) return true;
  return (
    startsAt.startsWith(wallClockOf(slotOf(slot))) && Math.abs(difference) <= maxOffsetChangeMs
  );
}

/** The most bytes of a document: far more than a studio needs. */
const maxDocumentBytes = 4_000_000;
export const tooLarge = 'it is larger than 4 MB';

/** The text of a file. `otherwise`: the text for no lines. Null if it is too large. */
export async function wholeText(
  lines: AsyncIterable<Uint8Array>,
  otherwise = '',
): Promise<Buffer | null> {
  const all: Uint8Array[] = [];
  let bytes = 0;
  for await (const line of lines) {
    bytes += line.length;
    if (bytes > maxDocumentBytes) return null;
    all.push(line);
  }
  return bytes === 0 ? Buffer.from(otherwise) : Buffer.concat(all);
}
