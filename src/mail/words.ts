import type { TimeSlot } from '../../generated/schemas.js';
import { bookingLabel, zoneName } from '../calendar/slot-label.js';
import { slotOf, todayInZone } from '../calendar/slots.js';
import { momentWords } from '../calendar/words.js';
import type { MailFacts } from './message.js';

/** The time of a session, from the event that a mail is made of. */
export interface SessionTime {
  date: string;
  timeSlot: TimeSlot;
  /** Milliseconds since the epoch. */
  startsAt: number;
  timezone: string;
  /** `Pacific Standard Time`. */
  zone: string;
  /** `Tuesday, December 1, 2026 at 9:00 AM`. */
  label: string;
  /** The same for a subject: with the year only if it is not that of the event. */
  short: string;
}

export function sessionTime({ event }: MailFacts): SessionTime {
  const { date, time_slot, starts_at_text, timezone, label } = event.data;
  const startsAt = Date.parse(starts_at_text);
  const today = todayInZone(timezone, event.occurredAt.getTime());
  return {
    date,
    timeSlot: time_slot,
    startsAt,
    timezone,
    zone: zoneName(timezone, startsAt),
    label,
    short: momentWords(timezone, startsAt, today).replaceAll('\u00a0', ' '),
  };
}

/** The time before a move; null if the event does not say it. */
export function formerTime({ event }: MailFacts): string | null {
  const { from } = event.data;
  return from === undefined ? null : bookingLabel(slotOf(from));
}

/** The name, or what stands for one that has been erased. */
function personName({ booking }: MailFacts): string {
  return booking.name ?? 'a person';
}

/** The subject: one line, since its parts are. */
export function subjectOf(facts: MailFacts): string {
  const { kind, recipient, studio } = facts;
  const { short } = sessionTime(facts);
  return recipient === 'person'
    ? `${personSubjects[kind]} ${short} – ${studio.name}`
    : `${studioSubjects[kind]} ${isolated(personName(facts))}, ${short}`;
}

const personSubjects = {
  confirmation: 'Confirmed:',
  move: 'Moved to',
  cancellation: 'Cancelled:',
  reminder: 'Reminder:',
};

const studioSubjects = {
  confirmation: 'Booked:',
  move: 'Moved:',
  cancellation: 'Cancelled:',
  reminder: 'Reminder:',
};

/** A name that runs right to left is isolated (UAX #9), so that it does not turn the time after it. */
function isolated(name: string): string {
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\u200f\u061c]/u.test(
    name,
  )
    ? `\u2068${name}\u2069`
    : name;
}
