import type { TimeSlot } from '../../generated/schemas.js';
import { bookingLabel, zoneName } from '../schedule/slot-label.js';
import { slotOf, todayInZone } from '../schedule/slots.js';
import { slotWords } from '../schedule/words.js';
import type { BookingMailFacts } from './mail-facts.js';

/** The time of a session, as of the event that a mail is made of. */
export interface SessionTime {
  date: string;
  timeSlot: TimeSlot;
  /** Milliseconds since the epoch. */
  startsAt: number;
  /** Null in events of versions before 2.9.0. */
  endsAt: number | null;
  timezone: string;
  /** `Pacific Standard Time`. */
  zone: string;
  /** `Tuesday, December 1, 2026 at 9:00 AM`. */
  label: string;
  /** For subjects: as `label`, with the year only if it is not that of the event. */
  shortLabel: string;
}

export function sessionTime({ event }: BookingMailFacts): SessionTime {
  const { date, time_slot, starts_at_text, ends_at_text, timezone, label } = event.data;
  const startsAt = Date.parse(starts_at_text);
  const today = todayInZone(timezone, event.occurredAt.getTime());
  return {
    date,
    timeSlot: time_slot,
    startsAt,
    endsAt: ends_at_text == null ? null : Date.parse(ends_at_text),
    timezone,
    zone: zoneName(timezone, startsAt),
    label,
    shortLabel: slotWords({ date, timeSlot: time_slot }, today),
  };
}

/** The label of the time before a move; null if the event does not contain it. */
export function formerTime({ event }: BookingMailFacts): string | null {
  const { from } = event.data;
  return from === undefined ? null : bookingLabel(slotOf(from));
}
