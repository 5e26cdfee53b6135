import type { Unreadable, UnreadableReason } from '../../repositories/calendar-fetches.js';

/** What the reading of a calendar has to say besides the intervals. */
export interface ReadingNotes {
  /** Of a line that could not be read, or could only be read in part. Each line counts once. */
  add(line: number, reason: UnreadableReason): void;
  /** @param written the name that the calendar gives to a zone */
  nameZone(written: string, id: string): void;
  unreadable(): Unreadable;
  zones(): Readonly<Record<string, string>>;
}

const mostLines = 100;
const mostZones = 50;
const longestName = 100;

export function collectNotes(): ReadingNotes {
  const reasons = new Map<number, UnreadableReason>();
  const zones = new Map<string, string>();
  return {
    add(line, reason) {
      if (!reasons.has(line)) reasons.set(line, reason);
    },
    nameZone(written, id) {
      if (zones.size < mostZones) zones.set(written.slice(0, longestName), id);
    },
    unreadable() {
      const lines = [...reasons].map(([line, reason]) => ({ line, reason }));
      lines.sort((one, other) => one.line - other.line);
      return { count: lines.length, lines: lines.slice(0, mostLines) };
    },
    zones: () => Object.fromEntries(zones),
  };
}
