import type { BookingRow, ConfirmedVia } from '../../database/rows/schema.js';
import type { Artist } from '../../schedule/artists.js';
import type { AskSecondChair } from './bookings.js';
import type { StudioSchedule } from './settings.js';

// The words of the console and the commands.

/** The name, or that it has been erased. */
export function personName({ name }: Pick<BookingRow, 'name'>): string {
  return name ?? '(erased)';
}

export const confirmedWords: Record<ConfirmedVia, string> = {
  link: 'with the link',
  code: 'with a code',
  studio: 'by the studio',
};

/** Why people cannot book a time that the studio can, where no artist is named. Without a full stop. */
export const closedWords: Record<Exclude<StudioSchedule, 'open'>, string> = {
  closed: 'The studio is closed then',
  busy: 'Your calendar is busy then',
  no_session: 'The weekly schedule has no session then',
};

/** Why nobody can book an artist on a date on which they are not there, in a sentence. */
export function awayWords(
  { name, firstDay, lastDay }: Artist,
  date: string,
  dayWords = (day: string) => day,
): string {
  return firstDay !== null && date < firstDay
    ? `The first day of ${name} is ${dayWords(firstDay)}.`
    : `The last day of ${name} is ${dayWords(lastDay ?? '')}.`;
}

/** The person would have two sessions at one time. */
export function secondChairWords({ other }: AskSecondChair): string {
  return `${personName(other)} has another session at that time: ${other.label}.`;
}

/** The choices about a booking on a closed day that have the same words for each. */
export const choiceWords = {
  ask: 'Ask to choose another time',
  cancel: 'Cancel',
  later: 'Decide later',
};

export const alreadyCorrect = 'Nothing to change: the details are these already.';

/** The message about a wrong first date. */
export const noSuchDate = 'Give a date that exists, such as 2026-12-24.';

export const lastBeforeFirst = 'The last date comes before the first.';
