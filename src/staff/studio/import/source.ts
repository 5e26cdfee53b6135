import { readCalendarFile } from '../../../domain/studio/calendar-check.js';
import {
  calendarErrorWords,
  type ListedEvent,
  unreadableReasons,
} from '../../../icalendar/calendar-reader.js';
import { isCalendar } from '../../../icalendar/read/reader.js';
import { utf8FromUtf16 } from '../../../platform/text-encoding.js';
import { addDays } from '../../../schedule/dates.js';
import { todayInZone } from '../../../schedule/slots.js';
import { anyOf, checked, date } from '../../arguments.js';
import type { StaffCommand } from '../../command.js';
import { StaffError } from '../../failure.js';
import { readBoundedFile, type ReadingServices } from '../../operator/calendar-check.js';
import { count, localTime } from '../../text.js';
import { cellOf, type Columns } from './columns.js';
import { numbered, readTable, type SourceRow, type Table } from './table.js';
import { createTimeReader, type DateOrder, dateOrders, orderOf, type ReadTime } from './times.js';

/** The times of a row. */
export type Times = { start: ReadTime; end: ReadTime | null };

/** A file of another system. */
export interface Source extends Table {
  timezone: string;
  /** Milliseconds since the epoch. */
  now: number;
  /** Sentences on how the columns are read. */
  remarksOf: (columns: Columns) => string[];
  timesOf: (columns: Columns) => (row: SourceRow) => Times | { mistake: string };
  /** Whether its times are in columns. */
  hasTimeColumns: boolean;
}

export interface SourceOptions {
  timeZone?: string;
  dates?: DateOrder[];
  to?: string;
}

interface ReadingOptions {
  /** The studio's zone. */
  timezone: string;
  hasFree: boolean;
  own?: ReadonlyMap<string, string>;
}

/** Days from today on in which events of a calendar are imported. */
const horizonDays = 365;

export function addSourceOptions(command: StaffCommand): StaffCommand {
  return command
    .option('--time-zone <zone>', 'of times without one (default: that of the studio)', zoneName)
    .option(
      '--dates <order>',
      'mdy or dmy: how 1/12/2026 is read (default: guessed)',
      anyOf(dateOrders),
    )
    .option('--to <date>', 'of a calendar, the last date (default: a year from today)', date);
}

const zoneName = checked((text) => {
  const read = createTimeReader('UTC', { order: 'mdy' })('2026-01-01', text);
  return 'mistake' in read
    ? { problem: 'Give a time zone such as America/New_York.' }
    : { value: text };
});

/**
 * Opens a file, and reads it as a calendar or as comma-separated values, by its content.
 *
 * @param own addresses in lower case that are never a client's, each with its artist's name, or empty
 * @param hasFree whether events of a calendar count that are free or tentative; only cancelled ones do not
 */
export async function openSource(
  services: ReadingServices,
  file: string,
  options: SourceOptions & ReadingOptions,
): Promise<Source> {
  const body = utf8FromUtf16(
    await readBoundedFile(file, 'The file is larger than 20 MB: split it.'),
  );
  if (isCalendar(body)) return openCalendar(services, body, options);
  const { headings, rows, skipped } = readTable(body);
  const { timezone, timeZone, dates } = options;
  const orderIn = (columns: Columns) => {
    const texts = (['start', 'end'] as const).flatMap((field) =>
      rows.map((row) => cellOf(row, columns.get(field))),
    );
    return dates?.[0] === undefined ? orderOf(texts) : { order: dates[0], isGuessed: false };
  };
  return {
    headings,
    rows,
    timezone,
    now: services.clock.now(),
    skipped,
    hasTimeColumns: true,
    remarksOf: (columns) => [
      ...(orderIn(columns).isGuessed
        ? ['Dates are read as month/day. If they are day/month, add --dates dmy.']
        : []),
      ...[...columns.values()]
        .flat()
        .map(({ heading }) => heading)
        .filter((name) => headings.some((other, index) => other === numbered(name, index)))
        .map((name) => `The file has several columns "${name}": the first is read.`),
    ],
    timesOf(columns) {
      const { order } = orderIn(columns);
      const read = createTimeReader(timezone, { zone: timeZone ?? null, order });
      return (row) => {
        const inZone = cellOf(row, columns.get('zone'));
        const start = read(cellOf(row, columns.get('start')), inZone);
        if ('mistake' in start) return start;
        const text = cellOf(row, columns.get('end'));
        if (text === '') return { start, end: null };
        const end = read(text, inZone);
        return 'mistake' in end ? end : { start, end };
      };
    },
  };
}

/** An event without a guest has its title for a name. */
const eventHeadings = [
  'Attendee name',
  'Attendee e-mail',
  'Summary',
  'Description',
  'Status',
  'Artist',
];

async function openCalendar(
  services: ReadingServices,
  body: Uint8Array,
  { timezone, timeZone, to, hasFree, own = new Map() }: SourceOptions & ReadingOptions,
): Promise<Source> {
  const now = services.clock.now();
  const today = todayInZone(timezone, now);
  const last = to ?? addDays(today, horizonDays);
  const reading = await readCalendarFile(services, body, {
    ...{ timezone, from: today, to: last },
    listing: { floating: timeZone ?? null, hasFree, own: [...own.keys()] },
  });
  if (reading.outcome === 'aborted') throw new StaffError('interrupted', 'It was not read.');
  if (reading.outcome === 'failed') {
    const why = calendarErrorWords(reading.error, reading.statusCode);
    throw new StaffError('refused', `It cannot be read: ${why}`);
  }
  const { events = [], skipped = { free: 0, outside: 0 } } = reading.listed ?? {};
  const times = new Map<SourceRow, Times>();
  const cellsOf = (event: ListedEvent): string[] => {
    const { summary, description, attendeeEmail } = event;
    const artists = new Set(event.ownAddresses.map((address) => own.get(address)).filter(Boolean));
    const [artist = ''] = artists.size === 1 ? artists : [];
    const name = event.attendeeName || summary;
    return [name, attendeeEmail, summary, description, hasFree ? '' : event.status, artist];
  };
  const cells = events.map(cellsOf);
  // The headings of empty columns would be taken for fields.
  const filled = eventHeadings.map((_, index) => cells.some((each) => each[index] !== ''));
  const ofFilled = (each: readonly string[]) => each.filter((_, index) => filled[index]);
  const rows = events.map((event, index) => {
    const { line, startsAt, endsAt, zone, isUnclear } = event;
    const row: SourceRow = {
      line,
      cells: ofFilled(cells[index] ?? []),
      mistake: isUnclear ? 'its time zone is not known' : null,
    };
    const at = (instant: number): ReadTime => ({
      at: instant,
      isDate: zone === null,
      from: zone === null || zone === timezone ? null : zoneWords(instant, zone),
    });
    times.set(row, { start: at(startsAt), end: at(endsAt) });
    return row;
  });
  const { unreadable } = reading;
  const unread = unreadable.lines.map(({ line, reason }): SourceRow => ({
    line,
    cells: [],
    mistake: `${unreadableReasons[reason]} cannot be read`,
  }));
  const range = `${today} to ${last}`;
  return {
    headings: ofFilled(eventHeadings),
    rows: [...rows, ...unread],
    timezone,
    now,
    hasTimeColumns: false,
    skipped: [
      ...(skipped.free > 0
        ? [count(skipped.free, hasFree ? 'cancelled event' : 'free or cancelled event')]
        : []),
      ...(skipped.outside > 0 ? [`${count(skipped.outside, 'event')} outside of ${range}`] : []),
    ],
    remarksOf: () => [],
    timesOf: () => (row) => times.get(row) ?? { mistake: 'it has no time' },
  };
}

function zoneWords(instant: number, zone: string): string {
  try {
    return `${localTime(new Date(instant), zone).slice(11)} in ${zone}`;
  } catch {
    // The calendar defines it on its own.
    return `in ${zone}`;
  }
}
