import type { BookingRow, ConfirmedVia } from '../../database/rows/schema.js';
import type { Artist } from '../../schedule/artists.js';
import type { Client } from './clients.js';
import type { CorrectionQuestion } from './correction.js';
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

/** That the person would have two sessions at one time, or that two clients would become one. */
export function questionWords({ outcome, other }: CorrectionQuestion): string {
  return outcome === 'elsewhere'
    ? `${personName(other)} has another session at that time: ${other.label}.`
    : `These are the details of another client, ${personName(other)}, whose latest session is ${other.label}. Afterwards both are one client, with the notes of both.`;
}

/** `3 sessions, 1 no-show`. */
export function countsOfClient({
  sessions,
  no_shows: missed,
}: Pick<Client, 'sessions' | 'no_shows'>): string {
  const counts = `${sessions} ${sessions === 1 ? 'session' : 'sessions'}`;
  return missed === 0 ? counts : `${counts}, ${missed} ${missed === 1 ? 'no-show' : 'no-shows'}`;
}

/** The names of a client; a family shares a mailbox. */
export function nameOfClient({ names }: Pick<Client, 'names'>): string {
  const [first = personName({ name: null }), ...others] = names;
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

/** The languages of BCP 47, in English. */
export function languageNames(tags: readonly string[]): string {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  return tags.map((tag) => names.of(tag) ?? tag).join(', ');
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

/** The messages about wrong hours of a closure. */
export const badHours = {
  order: 'The hours end before they begin.',
  session: 'Give hours or a session, not both.',
  dates: 'Hours are of one date: give no other last date.',
  skipped: 'The clocks skip these hours on this date.',
};
