import type { ChangeInSlot } from '../database/booking-snapshots.js';
import type { BookingMailKind } from '../database/mail-tables.js';
import type { BookingMailFacts, MailFacts } from './mail-facts.js';
import { sessionTime } from './session-time.js';

/** The subject of a mail. It is one line, because the facts are sanitized. */
export function subjectOf(facts: MailFacts): string {
  if (facts.kind === 'calendar_failure') {
    const { label, problem } = facts.calendar;
    const what = problem.kind === 'failing' ? 'Calendar' : 'Part of a calendar';
    return `${what} cannot be read: ${isolated(label)}`;
  }
  const { kind, recipient, booking, studio, undecided } = facts;
  const { shortLabel } = sessionTime(facts);
  if (undecided !== null) {
    return kind === 'conflict'
      ? `Undecided on closed days: ${undecided.length === 1 ? 'a session' : `${undecided.length} sessions`}`
      : `Undecided: ${isolated(booking.name ?? 'a person')}, ${shortLabel}`;
  }
  return recipient === 'person'
    ? `${personSubject(facts)} ${shortLabel} – ${studio.name}`
    : `${studioSubjects[kind]} ${isolated(booking.name ?? 'a person')}, ${shortLabel}`;
}

function personSubject({ kind, event, booking }: BookingMailFacts): string {
  if (booking.closed_day_choice === 'asked' && kind !== 'code' && kind !== 'cancellation') {
    return `${kind === 'reminder' ? 'Reminder, please' : 'Please'} choose another time:`;
  }
  return kind === 'move' ? moveSubject(event.data.change) : personSubjects[kind];
}

const personSubjects: Record<BookingMailKind, string> = {
  confirmation: 'Confirmed:',
  move: 'Moved to',
  cancellation: 'Cancelled:',
  reminder: 'Reminder:',
  code: 'Your code for',
  conflict: 'Conflict:',
};

function moveSubject(change: ChangeInSlot | undefined): string {
  switch (change) {
    case 'zone_data':
      return 'Still on';
    case 'address':
      return 'New address for';
    case 'details':
      return personSubjects.confirmation;
    case 'kept':
      return 'As booked:';
    default:
      return personSubjects.move;
  }
}

const studioSubjects: Record<BookingMailKind, string> = {
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
