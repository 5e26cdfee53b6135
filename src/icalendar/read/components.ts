import {
  decidingNameOf,
  parseProperty,
  type Property,
  UnreadableCalendarError,
} from './property.js';

/** A component with those of its lines that decide about time. */
export interface Component {
  /** In upper case. */
  readonly name: string;
  /** The line where it begins, from 1. */
  readonly line: number;
  readonly properties: Property[];
  /** The observances of a VTIMEZONE, the other components of a VCALENDAR. */
  readonly parts: Component[];
}

/** Components that are never within another: one that begins ends the one before. */
const sections = new Set(['VEVENT', 'VTODO', 'VJOURNAL', 'VFREEBUSY', 'VTIMEZONE']);
const observances = new Set(['STANDARD', 'DAYLIGHT']);

/** The limit of nesting: deeper components are closed with their section. */
const mostNested = 32;

/**
 * The calendars of a stream (RFC 5545, 3.4). Only lines that decide about time are read; a component
 * whose end is missing ends with its calendar or at the next of its kind, and text around calendars is
 * ignored.
 *
 * @param stream its bytes as latin1
 * @param hasTexts whether to read the lines of an event's texts, too
 * @throws UnreadableCalendarError when there is no calendar, or the end of one is missing
 */
export function readComponents(stream: string, hasTexts = false): Component[] {
  const calendars: Component[] = [];
  let calendar: Component | null = null;
  let section: Component | null = null;
  /** The open observance of a zone. */
  let part: Component | null = null;
  /** Other open components within: their lines are not the section's. */
  let nested: string[] = [];

  const openSection = (opened: Component): void => {
    calendar?.parts.push(opened);
    section = opened;
    part = null;
    nested = [];
  };
  const closeSection = (): void => {
    section = null;
    part = null;
    nested = [];
  };
  const begin = (name: string, line: number): void => {
    const opened: Component = { name, line, properties: [], parts: [] };
    if (name === 'VCALENDAR') {
      // The end of the previous one is missing.
      if (calendar !== null && calendar.parts.length > 0) throw new UnreadableCalendarError();
      calendar ??= opened;
    } else if (sections.has(name)) {
      // A component outside of a calendar needs a calendar's end, too.
      calendar ??= { name: 'VCALENDAR', line, properties: [], parts: [] };
      openSection(opened);
    } else if (calendar === null) return;
    else if (section === null) openSection(opened);
    else if (section.name === 'VTIMEZONE' && observances.has(name)) {
      section.parts.push(opened);
      part = opened;
      nested = [];
    } else nested.push(name);
  };
  const end = (name: string): void => {
    if (calendar === null) return;
    if (name === 'VCALENDAR') {
      calendars.push(calendar);
      calendar = null;
      closeSection();
    } else if (section !== null && name.startsWith(section.name)) closeSection();
    else if (name === part?.name) {
      part = null;
      nested = [];
    } else if (nested.at(-1) === name || nested.length <= mostNested) {
      const index = nested.lastIndexOf(name);
      if (index !== -1) nested.length = index;
    }
  };

  const innermost = (): Component | null => part ?? section ?? calendar;

  for (const property of readProperties(stream, hasTexts)) {
    const { name, value, line } = property;
    if (name === 'BEGIN') begin(value.toUpperCase(), line);
    else if (name === 'END') {
      end(value.toUpperCase());
      // The line break between them is damaged.
      const [, next, what = ''] = /(BEGIN|END):(\S+)$/i.exec(value.toUpperCase()) ?? [];
      if (next === 'BEGIN') begin(what, line);
      else if (next === 'END') end(what);
    } else if (nested.length === 0) innermost()?.properties.push(property);
  }
  if (innermost() !== null || calendars.length === 0) throw new UnreadableCalendarError();
  return calendars;
}

/** A line shorter than this may end within its name. */
const shortLine = 30;

/** The lines that decide about time, unfolded. */
function* readProperties(stream: string, hasTexts: boolean): Generator<Property> {
  const lines = createLines(stream);
  for (let start = lines.next(); start !== null; start = lines.next()) {
    // A name may be folded, too.
    if (start.length < shortLine && !/[:;]/.test(start)) start += lines.nextFolded() ?? '';
    const name = decidingNameOf(start, hasTexts);
    if (name === null) continue;
    const { line } = lines;
    let text = start;
    for (let more = lines.nextFolded(); more !== null; more = lines.nextFolded()) text += more;
    let property = parseProperty(name, text, line);
    if (property.value === '' && hasOpenQuote(text)) {
      // This is a line break within quotes, which is not allowed.
      const rest = lines.nextUnknown();
      if (rest !== null) property = parseProperty(name, text + rest, line);
    }
    yield property;
  }
}

function hasOpenQuote(text: string): boolean {
  return text.split('"').length % 2 === 0;
}

/** The byte order mark of UTF-8, read as latin1. */
const byteOrderMark = '\xef\xbb\xbf';

/** The physical lines of a stream, without their ends. */
function createLines(stream: string) {
  // A file of an old Macintosh.
  const text = stream.includes('\n') ? stream : stream.replaceAll('\r', '\n');
  let at = 0;
  let line = 0;
  const next = (): string | null => {
    if (at >= text.length) return null;
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline;
    let trimmed = end;
    while (trimmed > at && text.charCodeAt(trimmed - 1) === 0x0d) trimmed -= 1;
    const found = text.slice(text.startsWith(byteOrderMark, at) ? at + 3 : at, trimmed);
    at = end + 1;
    line += 1;
    return found;
  };
  return {
    next,
    /** The number of the last line that was returned, from 1. */
    get line() {
      return line;
    },
    /** The continuation of the line before (RFC 5545, 3.1); null if the next line is none. */
    nextFolded(): string | null {
      const isFolded = text[at] === ' ' || text[at] === '\t';
      return isFolded ? (next()?.slice(1) ?? null) : null;
    },
    /** The next line, unless it begins with a deciding name. */
    nextUnknown(): string | null {
      return at >= text.length || decidingNameOf(text.slice(at, at + 40)) !== null ? null : next();
    },
  };
}
