import type { UnreadableReason } from '../../database/rows/calendars.js';
import { type Component, readComponents } from './components.js';
import type { CalendarZones } from './moments.js';
import { createZones } from './named-zones.js';
import type { ReadingNotes } from './notes.js';
import { findProperty, type Property, UnreadableCalendarError, valueOf } from './property.js';

/** A component that can be busy: VEVENT or VFREEBUSY. */
export interface EventText {
  readonly isFreeBusy: boolean;
  /** The UID as written; null if there is none. */
  readonly uid: string | null;
  readonly properties: readonly Property[];
  /** The line where it begins, from 1. */
  readonly line: number;
  readonly zones: CalendarZones;
  /** Whether its whole calendar is a cancellation (METHOD:CANCEL, RFC 5546). */
  readonly isCancelled: boolean;
  /** The result of `read`; null, with a note, if it fails. */
  readOrTell<Value>(line: number, reason: UnreadableReason, read: () => Value): Value | null;
  tell(line: number, reason: UnreadableReason): void;
}

export interface CalendarTextOptions {
  timezone: string;
  notes: ReadingNotes;
  floating?: string | null;
  hasTexts?: boolean;
}

/**
 * The events of a stream of calendars (RFC 5545, 3.4).
 *
 * @param timezone of dates, and of times without one
 * @param floating overrides what the calendar says of times without a zone
 * @param hasTexts whether to read, too, what events are about
 * @throws UnreadableCalendarError when it is no calendar, or the end of one is missing
 */
export function readCalendarText(
  stream: Uint8Array,
  { timezone, notes, floating = null, hasTexts = false }: CalendarTextOptions,
): EventText[] {
  const { buffer, byteOffset, byteLength } = stream;
  const calendars = readComponents(
    Buffer.from(buffer, byteOffset, byteLength).toString('latin1'),
    hasTexts,
  );
  const definitions = calendars.map(({ parts }) =>
    parts.filter(({ name }) => name === 'VTIMEZONE'),
  );
  return calendars.flatMap((calendar, index) => {
    const own = findProperty(calendar.properties, 'X-WR-TIMEZONE');
    const given = floating === null ? own : { value: floating, line: 1 };
    const zones = createZones(timezone, definitions[index] ?? [], {
      floating: given === null ? null : { name: given.value, line: given.line },
      notes,
      isImport: hasTexts,
    });
    return eventsOf(calendar, zones, notes);
  });
}

function eventsOf(calendar: Component, zones: CalendarZones, notes: ReadingNotes): EventText[] {
  const isCancelled = valueOf(calendar.properties, 'METHOD')?.toUpperCase() === 'CANCEL';
  const shared = {
    zones,
    isCancelled,
    tell(line: number, reason: UnreadableReason): void {
      notes.add(line, reason);
    },
    readOrTell<Value>(line: number, reason: UnreadableReason, read: () => Value): Value | null {
      try {
        return read();
      } catch (error) {
        if (!(error instanceof UnreadableCalendarError)) throw error;
        notes.add(line, reason);
        return null;
      }
    },
  };
  return calendar.parts
    .filter(({ name }) => name === 'VEVENT' || name === 'VFREEBUSY')
    .map(({ name, line, properties }) => ({
      ...shared,
      isFreeBusy: name === 'VFREEBUSY',
      uid: valueOf(properties, 'UID'),
      line,
      properties,
    }));
}
