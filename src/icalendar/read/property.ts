import { decodeText } from '../../platform/text-encoding.js';

/** A content line (RFC 5545, 3.1) that decides about time, unfolded. */
export interface Property {
  /** In upper case. */
  readonly name: string;
  /** The parameters as written: `;TZID=America/Los_Angeles`. */
  readonly parameters: string;
  /** The value without blanks around it; escapes are as written. */
  readonly value: string;
  /** The line where it begins, from 1. */
  readonly line: number;
}

/** The properties that decide when a component is busy, or where it begins or ends. */
const decidingNames = new Set([
  ...['BEGIN', 'END', 'METHOD', 'X-WR-TIMEZONE', 'UID', 'SEQUENCE', 'STATUS', 'TRANSP', 'TZID'],
  ...['X-MICROSOFT-CDO-BUSYSTATUS', 'DTSTART', 'DTEND', 'DURATION', 'RECURRENCE-ID', 'RRULE'],
  ...['RDATE', 'EXDATE', 'EXRULE', 'FREEBUSY', 'X-LIC-LOCATION', 'TZOFFSETFROM', 'TZOFFSETTO'],
]);

/** The texts of events, read only for listings, never of a watched calendar. */
const textNames = new Set(['SUMMARY', 'DESCRIPTION', 'ATTENDEE', 'ORGANIZER']);

const longestName = Math.max(...[...decidingNames].map((name) => name.length));

const namePattern = /^[A-Za-z-]+(?=[ \t]*(?:[;:]|$))/;

/** The name of a line in upper case, if it decides about time; otherwise null. */
export function decidingNameOf(lineStart: string, hasTexts = false): string | null {
  const name = namePattern.exec(lineStart.slice(0, longestName + 8))?.[0].toUpperCase();
  if (name === undefined) return null;
  return decidingNames.has(name) || (hasTexts && textNames.has(name)) ? name : null;
}

/** A quoted value is closed, so that a colon in it ends no parameters. */
const parametersPattern = /^(?:[^":]|"[^"]*")*:/;
/** The most characters: no deciding line has more. */
const mostParameters = 10_000;
const dateLike = /^\s*\d{4}-?\d\d-?\d\d/;

/** @param text of the whole unfolded line, whose name is known */
export function parseProperty(name: string, text: string, line: number): Property {
  const written = text.slice(name.length);
  const head = parametersPattern.exec(written.slice(0, mostParameters))?.[0] ?? null;
  // A quote that has no end, or ends behind the value, is ignored.
  const rest = head === null ? written.replaceAll('"', '') : written;
  const colon = endOfZoneName(rest, head === null ? rest.indexOf(':') : head.length - 1);
  const parameters = decoded(colon === -1 ? rest : rest.slice(0, colon));
  return { name, parameters, value: decoded(rest.slice(colon + 1)).trim(), line };
}

/**
 * Some calendars do not quote names of zones with colons, such as `(UTC-05:00) Eastern Time`: the value
 * then begins where a date does.
 */
function endOfZoneName(rest: string, colon: number): number {
  if (!/TZID/i.test(rest.slice(0, colon))) return colon;
  let end = colon;
  while (end !== -1 && !dateLike.test(rest.slice(end + 1, end + 20))) {
    end = rest.indexOf(':', end + 1);
  }
  return end === -1 ? colon : end;
}

/** Lines are read as bytes, since some calendars fold them within a character. */
function decoded(bytes: string): string {
  return /[^\x00-\x7f]/.test(bytes) ? decodeText(Buffer.from(bytes, 'latin1')) : bytes;
}

const parameterPatterns = {
  TZID: patternOf('TZID'),
  VALUE: patternOf('VALUE'),
  RANGE: patternOf('RANGE'),
  FBTYPE: patternOf('FBTYPE'),
  CN: patternOf('CN'),
};

function patternOf(name: string): RegExp {
  return new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^;]*))`, 'i');
}

/** The value of a parameter without its quotes; null without one. */
export function parameterOf(
  { parameters }: Property,
  name: keyof typeof parameterPatterns,
): string | null {
  if (parameters === '') return null;
  const match = parameterPatterns[name].exec(parameters);
  return match === null ? null : (match[1] ?? match[2] ?? '').replaceAll('"', '').trim();
}

/** The first property of that name, unless its value is empty. */
export function findProperty(properties: readonly Property[], name: string): Property | null {
  return properties.find((each) => each.name === name && each.value !== '') ?? null;
}

/** The value of the first property of that name; null without one. */
export function valueOf(properties: readonly Property[], name: string): string | null {
  return findProperty(properties, name)?.value ?? null;
}

/** The values of a property that is a list, without empty ones. */
export function* valuesOf({ value }: Property): Generator<string> {
  for (let from = 0; from <= value.length;) {
    const comma = value.indexOf(',', from);
    const end = comma === -1 ? value.length : comma;
    const each = value.slice(from, end).trim();
    if (each !== '') yield each;
    from = end + 1;
  }
}

/** A text without its escapes (RFC 5545, 3.3.11). */
export function unescaped(text: string): string {
  return text.replace(/\\([\\;,n])/gi, (_, escaped: string) =>
    /n/i.test(escaped) ? '\n' : escaped,
  );
}

/** Input that is no calendar, is cut, or has no known meaning. The message never quotes it. */
export class UnreadableCalendarError extends Error {
  constructor() {
    super('the calendar cannot be read');
    this.name = 'UnreadableCalendarError';
  }
}
