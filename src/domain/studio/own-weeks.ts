import type { TimeSlot } from '../../../generated/schemas.js';
import type { DayRow } from '../../database/rows/results.js';
import type { ArtistRecord } from '../../repositories/artists.js';
import { weekdayName } from '../../schedule/dates.js';
import { startsWithin } from '../../schedule/slots.js';

/** The sessions of a weekday (1: Monday). */
export interface DaySessions {
  weekday: number;
  sessions: readonly TimeSlot[];
}

/** An artist whose own week does not fit a change of the studio's. */
export interface WeekDrift {
  artist: ArtistRecord;
  /** Names the artist and the sessions. */
  sentence: string;
  /** Their week if it changes, too. */
  week: { weekday: number; sessions: TimeSlot[] }[];
}

/**
 * The artists whose own week has sessions that the studio drops or is closed at, or none on a day that
 * the studio opens. Hidden ones do not count.
 */
export function findDrifts(
  artists: readonly ArtistRecord[],
  changes: readonly { before: DayRow; after: DayRow }[],
): WeekDrift[] {
  return artists.flatMap((artist) => {
    const { name, week, hidden_at: hiddenAt } = artist;
    if (week === null || hiddenAt !== null) return [];
    const opened = changes.flatMap(({ before, after }) =>
      before.opens === null && sessionsOn(week, after.weekday).length === 0 ? [after] : [],
    );
    const stale = changes.map(({ before, after }) => ({
      weekday: after.weekday,
      sessions: sessionsOn(week, after.weekday).filter(
        (slot) =>
          !after.sessions.includes(slot) &&
          (before.sessions.includes(slot) || !isOpenAt(after, slot)),
      ),
    }));
    const [has, lacks] = [sessionDays(stale), sessionDays(opened)];
    if (has === '' && lacks === '') return [];
    const what = [has && `still has ${has}`, lacks && `does not have ${lacks}`].filter(Boolean);
    const followed = week.map(({ weekday, sessions }) => ({
      weekday,
      sessions: [
        ...sessions.filter((slot) => !sessionsOn(stale, weekday).includes(slot)),
        ...sessionsOn(opened, weekday),
      ],
    }));
    const sentence = `${name || 'The artist'}’s own week ${what.join(', and ')}.`;
    return [{ artist, sentence, week: followed }];
  });
}

/** The sessions of an artist's changed week that `before` does not have and at which the studio is closed. */
export function closedSessions(
  studioWeek: readonly DayRow[],
  before: readonly DaySessions[],
  after: readonly DaySessions[],
): DaySessions[] {
  return studioWeek.map((day) => ({
    weekday: day.weekday,
    sessions: sessionsOn(after, day.weekday).filter(
      (slot) => !isOpenAt(day, slot) && !sessionsOn(before, day.weekday).includes(slot),
    ),
  }));
}

export function sessionsOn(week: readonly DaySessions[], weekday: number): readonly TimeSlot[] {
  return week.find((day) => day.weekday === weekday)?.sessions ?? [];
}

function isOpenAt({ opens, closes }: DayRow, timeSlot: TimeSlot): boolean {
  return opens !== null && closes !== null && startsWithin(timeSlot, opens, closes);
}

/** The days that have sessions: `Monday, Tuesday (9:00 AM, 1:00 PM); Friday (1:00 PM)`. Empty if none has. */
export function sessionDays(week: readonly DaySessions[]): string {
  const days = new Map<string, string[]>();
  for (const { weekday, sessions } of week.filter((day) => day.sessions.length > 0)) {
    const times = sessions.join(', ');
    days.set(times, [...(days.get(times) ?? []), weekdayName(weekday)]);
  }
  return [...days].map(([times, names]) => `${names.join(', ')} (${times})`).join('; ');
}
