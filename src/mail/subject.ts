import type { BookingMailKind } from '../database/rows/mails.js';
import type { BookingMailFacts, CalendarMailFacts, MailEvent } from './mail-facts.js';
import { withoutLinks } from './sanitize-facts.js';
import type { TimedMailFacts } from './session-time.js';

/** The subject of a mail. It is one line, because the facts are sanitized. */
export function subjectOf(facts: TimedMailFacts | CalendarMailFacts): string {
  if (facts.kind === 'calendar_failure') {
    const { label, problem } = facts.calendar;
    const what = problem.kind === 'failing' ? 'Calendar' : 'Part of a calendar';
    return `${what} cannot be read: ${isolated(label)}`;
  }
  const { kind, recipient, booking, studio, undecided } = facts;
  const { shortLabel } = facts.time;
  if (undecided !== null) {
    return kind === 'conflict'
      ? `Undecided on closed days: ${undecided.length === 1 ? 'a session' : `${undecided.length} sessions`}`
      : `Undecided: ${isolated(withoutLinks(booking.name ?? 'a person'))}, ${shortLabel}`;
  }
  return recipient === 'person'
    ? `${personSubject(facts)} ${shortLabel} · ${studio.name}`
    : `${studioSubjects[kind]} ${isolated(withoutLinks(booking.name ?? 'a person'))}, ${shortLabel}`;
}

function personSubject({ kind, event, booking }: BookingMailFacts): string {
  if (booking.closed_day_choice === 'asked' && kind !== 'code' && kind !== 'cancellation') {
    return `${kind === 'reminder' ? 'Reminder, please' : 'Please'} choose another time:`;
  }
  return (kind === 'move' && wordsOfChange(event)?.subject) || personSubjects[kind];
}

const personSubjects: Record<BookingMailKind, string> = {
  confirmation: 'Confirmed:',
  move: 'Moved to',
  cancellation: 'Cancelled:',
  reminder: 'Reminder:',
  code: 'Your code for',
  conflict: 'Conflict:',
};

/** The words of a change that keeps the slot for the person; null for any other change. */
export function wordsOfChange({
  type,
  data: { time_slot },
}: MailEvent): { subject: string; title: string; lead: string } | null {
  switch (type) {
    case 'booking.retimed':
      return {
        subject: 'Still on',
        title: `Your session is still at ${time_slot}`,
        lead: `Nothing changes for you: it begins at ${time_slot} at the studio, as before. The clocks of its time zone change by new rules. If your phone or calendar shows another time, the invitation in this e-mail corrects it.`,
      };
    case 'booking.readdressed':
      return {
        subject: 'New address for',
        title: 'The address of your session has changed',
        lead: 'Only the place changes: the day and the time stay as they are. If it does not suit you, reply to this e-mail or call us.',
      };
    case 'booking.corrected':
      return {
        subject: personSubjects.confirmation,
        title: 'Your session is confirmed',
        lead: 'This is the e-mail address of your booking now, and its link is a new one: a former link opens nothing any more. See you then.',
      };
    case 'booking.kept':
      return {
        subject: 'As booked:',
        title: 'Your session stays as booked',
        lead: 'You need not choose another time after all. See you then.',
      };
    default:
      return null;
  }
}

export const studioSubjects: Record<BookingMailKind, string> = {
  ...personSubjects,
  confirmation: 'Booked:',
  move: 'Moved:',
  code: 'Code:',
};

/** A name that runs right to left is isolated (UAX #9), so that the time after it stays left to right. */
function isolated(name: string): string {
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\u200f\u061c]/u.test(
    name,
  )
    ? `\u2068${name}\u2069`
    : name;
}
