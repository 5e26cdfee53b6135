import type { Unreadable, UnreadableReason } from '../../database/rows/calendars.js';

export type ReadingNotes = ReturnType<typeof collectNotes>;

const mostLines = 100;
const mostZones = 50;
const longestName = 100;

/** Collects notes on the reading of a calendar. */
export function collectNotes() {
  const reasons = new Map<number, UnreadableReason>();
  const zones = new Map<string, string>();
  return {
    /** Notes a line that could not be read, or only in part. Each line counts once. */
    add(line: number, reason: UnreadableReason): void {
      if (!reasons.has(line)) reasons.set(line, reason);
    },
    /** @param written the name that the calendar gives to a zone */
    nameZone(written: string, id: string): void {
      if (zones.size < mostZones) zones.set(written.slice(0, longestName), id);
    },
    unreadable(): Unreadable {
      const lines = [...reasons].map(([line, reason]) => ({ line, reason }));
      lines.sort((one, other) => one.line - other.line);
      return { count: lines.length, lines: lines.slice(0, mostLines) };
    },
    zones: (): Readonly<Record<string, string>> => Object.fromEntries(zones),
  };
}
