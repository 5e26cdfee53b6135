import { Ajv, type ErrorObject } from 'ajv';
import { withTextRule } from '../../platform/text-rule.js';
import { slotOf, slotStartsAt, wallClockOf } from '../../schedule/slots.js';
import { studioFields, type StudioMember } from '../studio-fields.js';
import { addFormats, keepClosestBranch, validationMessage } from '../validation-messages.js';
import type { BookingLine, ClosureLine, StudioDocument, WeekDocument } from './format.js';

/** Reads the text of a row; `check` is of its schema. A `problem` is a clause that never quotes it. */
export type ReadRow = { row: object } | { problem: string };

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A reader of rows that keep the schema. */
export function rowReader(schema: object): (text: Uint8Array) => ReadRow {
  // Not `allErrors`: one problem of a row is told.
  const ajv = new Ajv({ verbose: true, messages: false, allowUnionTypes: true });
  addFormats(ajv);
  const validate = ajv.compile(withTextRule(schema));
  return (text) => {
    let row: unknown;
    try {
      row = JSON.parse(utf8.decode(text));
    } catch {
      return { problem: 'it is not JSON in UTF-8' };
    }
    if (validate(row)) return { row: row as object };
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

/** What is wrong with a row that keeps its schema; null if nothing is. */
type Check<Row> = (row: Row) => string | null;

type Rule<Row> = [problem: string, isBroken: (row: Row) => boolean];

const byRules =
  <Row>(rules: readonly Rule<Row>[]): Check<Row> =>
  (row) =>
    rules.find(([, isBroken]) => isBroken(row))?.[0] ?? null;

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

export const checkStudio: Check<StudioDocument> = ({ address, ...studio }) => {
  const given: Record<StudioMember, string> = { ...studio, ...address };
  for (const [member, check] of Object.entries(studioFields)) {
    const checked = check(given[member as StudioMember]);
    if ('problem' in checked) return `${member}: ${checked.problem}`;
  }
  if (areDoubled(studio.other_addresses.map(({ from_date }) => from_date))) {
    return 'two other_addresses count from one date';
  }
  if (areDoubled(studio.zone_data.map(({ timezone }) => timezone))) {
    return 'zone_data has a time zone twice';
  }
  return null;
};

function areDoubled(values: readonly string[]): boolean {
  return new Set(values).size < values.length;
}

export const checkWeek = byRules<WeekDocument>([
  [
    'it must have the weekdays from 1 to 7 in order',
    (week) => week.some(({ weekday }, index) => weekday !== index + 1),
  ],
  [
    'opens and closes must both be null, or neither',
    (week) => week.some(({ opens, closes }) => (opens === null) !== (closes === null)),
  ],
  ['opens must be before 24:00', (week) => week.some(({ opens }) => opens === '24:00')],
]);

export const checkClosure = byRules<ClosureLine>([
  ['to_date is before from_date', ({ from_date, to_date }) => to_date < from_date],
]);

const at = (instant: string) => Date.parse(instant);

/** As the constraints of the table, and that the instant is that of the slot. */
export const checkBooking = byRules<BookingLine>([
  ['timezone is none that this version of Node.js knows', (row) => !isKnownZone(row.timezone)],
  ['starts_at is not the time of date and time_slot', (row) => !isAtItsSlot(row)],
  [
    'ends_at is not after starts_at',
    (row) => row.ends_at !== null && at(row.ends_at) <= at(row.starts_at),
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
    'only a cancelled booking has cancellation_reason',
    (row) => row.cancellation_reason !== null && row.status !== 'cancelled',
  ],
]);

/** By the text, since the data of the zone may have changed since it was booked. */
function isAtItsSlot({ timezone, starts_at: startsAt, ...slot }: BookingLine): boolean {
  if (startsAt.startsWith(wallClockOf(slotOf(slot)))) return true;
  return at(startsAt) === slotStartsAt(timezone, slot.date, slot.time_slot).epochMs;
}
