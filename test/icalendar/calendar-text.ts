/** Writes specified events as iCalendar text, in the forms that calendars use. */
import {
  addMinutes,
  instantOf,
  isExclusion,
  untilOf,
  type OracleChange,
} from './calendar-oracle.js';
import type { EventSpec, LengthSpec, RuleSpec, TimeSpec } from './event-specs.js';

const dayNames = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** By the zone whose rules it repeats: name, observances. */
const definitions: Record<string, { name: string; observances: readonly (readonly string[])[] }> = {
  'America/New_York': {
    name: 'Eastern Standard Time',
    observances: [
      ['DAYLIGHT', '20070311T020000', '-0500', '-0400', 'FREQ=YEARLY;BYMONTH=3;BYDAY=2SU'],
      ['STANDARD', '20071104T020000', '-0400', '-0500', 'FREQ=YEARLY;BYMONTH=11;BYDAY=1SU'],
    ],
  },
  'Europe/Berlin': {
    name: '(UTC+01:00) Amsterdam, Berlin, Wien',
    observances: [
      ['STANDARD', '19961027T030000', '+0200', '+0100', 'FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU'],
      ['DAYLIGHT', '19960331T020000', '+0100', '+0200', 'FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU'],
    ],
  },
  'Australia/Lord_Howe': {
    name: 'Island: Lord Howe, winter; summer',
    observances: [
      ['DAYLIGHT', '20081005T020000', '+1030', '+1100', 'FREQ=YEARLY;BYMONTH=10;BYDAY=1SU'],
      ['STANDARD', '20080406T020000', '+1100', '+1030', 'FREQ=YEARLY;BYMONTH=4;BYDAY=1SU'],
    ],
  },
};

/** Lines of at most 75 characters (RFC 5545, 3.1), with the line ends that it asks for. */
export function calendarText(...components: readonly string[][]): string {
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//example.com//EN'];
  for (const component of components) lines.push(...component);
  lines.push('END:VCALENDAR');
  return lines.map((line) => `${line.replace(/(.{70})(?=.)/g, '$1\r\n ')}\r\n`).join('');
}

export function zoneComponents(): string[] {
  return Object.values(definitions).flatMap(({ name, observances }) => [
    'BEGIN:VTIMEZONE',
    `TZID:${name}`,
    ...observances.flatMap(([kind, start, from, to, rule]) => [
      `BEGIN:${kind}`,
      `DTSTART:${start}`,
      `TZOFFSETFROM:${from}`,
      `TZOFFSETTO:${to}`,
      `RRULE:${rule}`,
      `END:${kind}`,
    ]),
    'END:VTIMEZONE',
  ]);
}

export function eventComponents(
  event: EventSpec,
  changes: readonly OracleChange[],
  studio: string,
): string[] {
  const { uid, start, length, state, rules, dates } = event;
  const described = changes.filter((change) => !isExclusion(change));
  const components = described.flatMap((change) =>
    component(uid, [
      ...describedLines(event, change, studio),
      ...(change.kind === 'cancel' ? ['STATUS:CANCELLED'] : []),
      ...(change.kind === 'make transparent' ? ['TRANSP:TRANSPARENT'] : []),
    ]),
  );
  if (event.isOrphan) return components;
  return [
    ...components,
    ...component(uid, [
      ...timeLines(start, start.local, length),
      ...rules.map((rule) => ruleLine(rule, event, studio)),
      ...dates.map(({ days, periodMinutes }) =>
        dateLine(start, addMinutes(start.local, days * 1440), periodMinutes),
      ),
      ...changes
        .filter(isExclusion)
        .map(({ kind, original }) =>
          kind === 'exclude'
            ? `EXDATE${timeValue(start, original)}`
            : `EXDATE;VALUE=DATE:${basicDate(original)}`,
        ),
      ...(state === 'cancelled' ? ['STATUS:cancelled'] : ['STATUS:CONFIRMED']),
      ...(state === 'transparent' ? ['TRANSP:TRANSPARENT'] : []),
    ]),
  ];
}

function component(uid: string, lines: readonly string[]): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${uid.toUpperCase()}`,
    'DTSTAMP:20260101T000000Z',
    'SUMMARY:Dentist\\, again: bring "papers"; be early, it takes long to find a place to park',
    ...lines,
    'BEGIN:VALARM',
    'TRIGGER:-PT10M',
    'DURATION:PT15M',
    'END:VALARM',
    'END:VEVENT',
  ];
}

function describedLines({ start }: EventSpec, change: OracleChange, studio: string): string[] {
  const { original, minutes, length, forFuture, idInUtc } = change;
  const range = forFuture ? ';RANGE=THISANDFUTURE' : '';
  const isUtc = idInUtc && start.form !== 'date';
  const id = isUtc ? `:${utc(instantOf(original, start, studio))}` : timeValue(start, original);
  const local = change.kind === 'move' ? addMinutes(original, minutes) : original;
  return [`RECURRENCE-ID${range}${id}`, ...timeLines(start, local, length)];
}

function timeLines(start: TimeSpec, local: string, length: LengthSpec): string[] {
  const first = `DTSTART${timeValue(start, local)}`;
  if (length.kind === 'none') return [first];
  if (length.kind === 'duration') {
    const { days, minutes } = length;
    const isWeek = days === 7 && minutes === 0;
    return [first, `DURATION:${isWeek ? 'P1W' : `P${days}DT${minutes}M`}`];
  }
  const { form } = start;
  const minutes = form === 'date' ? Math.ceil(length.minutes / 1440) * 1440 : length.minutes;
  return [first, `DTEND${timeValue(start, addMinutes(local, minutes))}`];
}

function dateLine(start: TimeSpec, local: string, periodMinutes: number | null): string {
  const value = timeValue(start, local);
  if (periodMinutes === null || start.form === 'date') return `RDATE${value}`;
  return `RDATE;VALUE=PERIOD${value}/PT${periodMinutes}M`;
}

/** The parameters and the value of a property that is a time. */
function timeValue({ form, zone }: TimeSpec, local: string): string {
  if (form === 'date') return `;VALUE=DATE:${basicDate(local)}`;
  const value = `${basicDate(local)}T${local.slice(11).replace(':', '')}00`;
  if (form === 'utc') return `:${value}Z`;
  if (form === 'floating') return `:${value}`;
  return `;TZID="${form === 'custom' ? definitions[zone]?.name : zone}":${value}`;
}

function basicDate(local: string): string {
  return local.slice(0, 10).replaceAll('-', '');
}

function utc(instant: number): string {
  return new Date(instant).toISOString().replaceAll(/[-:]|\.\d+/g, '');
}

function ruleLine(rule: RuleSpec, event: EventSpec, studio: string): string {
  const { frequency, interval, weekdays, weekStart, end } = rule;
  const { start } = event;
  const parts = [`FREQ=${frequency}`];
  if (interval > 1) parts.push(`INTERVAL=${interval}`);
  if (weekdays.length > 0) {
    parts.push(`BYDAY=${weekdays.map((each) => dayNames[each - 1]).join(',')}`);
  }
  if (weekStart === 7) parts.push('WKST=SU');
  if (end !== null && 'count' in end) parts.push(`COUNT=${end.count}`);
  if (end !== null && 'until' in end) {
    const until = untilOf(end, event);
    const instant = instantOf(until, start, studio);
    const isLocal = start.form === 'date' || start.form === 'floating';
    parts.push(`UNTIL=${isLocal ? timeValue(start, until).replace(/.*:/, '') : utc(instant)}`);
  }
  return `RRULE:${parts.join(';')}`;
}
