import type { BookingMailKind } from '../database/rows/mails.js';
import type { Language } from '../locales/language.js';
import type { BookingMailFacts, CalendarMailFacts } from './mail-facts.js';
import { withoutLinks } from './sanitize-facts.js';
import type { TimedMailFacts } from './session-time.js';

/**
 * The subject of a mail, in the person's language or in the studio's English. It is one line, because
 * the facts are sanitized.
 */
export function subjectOf(language: Language, facts: TimedMailFacts | CalendarMailFacts): string {
  return facts.kind !== 'calendar_failure' && facts.recipient === 'person'
    ? personSubject(language, facts)
    : studioSubject(facts);
}

function personSubject({ t }: Language, facts: TimedMailFacts): string {
  const { kind, studio, time } = facts;
  const values = { time: time.shortLabel, studio: studio.name };
  if (kind === 'code') return t('mail.subject.code', values);
  if (kind === 'cancellation') return t('mail.subject.cancelled', values);
  const news = newsOf(facts);
  const isReminded = news === 'asked' && kind === 'reminder';
  return t(`mail.subject.${isReminded ? 'asked_again' : news}`, values);
}

/** What the mail about a session that will take place says of it. */
export function newsOf({ kind, event, booking }: BookingMailFacts) {
  if (booking.closed_day_choice === 'asked') return 'asked';
  if (kind === 'reminder') return 'reminder';
  switch (event.type) {
    case 'booking.retimed':
      return 'retimed';
    case 'booking.readdressed':
      return 'readdressed';
    case 'booking.corrected':
      return 'corrected';
    case 'booking.kept':
      return 'kept';
    default:
      return kind === 'move' ? 'moved' : 'confirmed';
  }
}

function studioSubject(facts: TimedMailFacts | CalendarMailFacts): string {
  if (facts.kind === 'calendar_failure') {
    const { label, problem } = facts.calendar;
    const what = problem.kind === 'failing' ? 'Calendar' : 'Part of a calendar';
    return `${what} cannot be read: ${isolated(label)}`;
  }
  const { kind, booking, undecided, time } = facts;
  if (undecided !== null && kind === 'conflict') {
    const isNamed = undecided.some(({ artist_name: name }) => name !== null);
    return `Undecided${isNamed ? '' : ' on closed days'}: ${undecided.length === 1 ? 'a session' : `${undecided.length} sessions`}`;
  }
  const what = undecided === null ? studioSubjects[kind] : 'Undecided:';
  return `${what} ${isolated(withoutLinks(booking.name ?? 'a person'))}, ${time.shortLabel}`;
}

export const studioSubjects: Record<BookingMailKind, string> = {
  confirmation: 'Booked:',
  move: 'Moved:',
  cancellation: 'Cancelled:',
  reminder: 'Reminder:',
  code: 'Code:',
  conflict: 'Conflict:',
};

/** A name that runs right to left is isolated (UAX #9), so that the time after it stays left to right. */
function isolated(name: string): string {
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\u200f\u061c]/u.test(
    name,
  )
    ? `\u2068${name}\u2069`
    : name;
}
