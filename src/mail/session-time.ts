import type { Language } from '../locales/language.js';
import { slotOf, todayInZone } from '../schedule/slots.js';
import { sessionOf, timesIn } from '../schedule/times.js';
import type { BookingMailFacts } from './mail-facts.js';

/** The time of a session, as of the event that a mail is made of. */
export interface SessionTime {
  date: string;
  /** Milliseconds since the epoch. */
  startsAt: number;
  /** Null in events of versions before 2.9.0. */
  endsAt: number | null;
  timezone: string;
  /** `Pacific Standard Time`. */
  zone: string;
  /** `9:00 AM – 1:00 PM`. */
  hours: string;
  /** Null where the studio has one. */
  artist: string | null;
  /** `Tuesday, December 1, 2026, 9:00 AM – 1:00 PM`. */
  label: string;
  /** The label for subjects: the year only if it is not that of the event. */
  shortLabel: string;
}

/** The facts of a mail with the time of its session, which several parts show. */
export interface TimedMailFacts extends BookingMailFacts {
  time: SessionTime;
}

export function sessionTime(
  language: Language,
  { event, openingHours }: BookingMailFacts,
): SessionTime {
  const { sessionHours, sessionWords, zoneName } = timesIn(language);
  const { date, time_slot, starts_at_text, ends_at_text = null, timezone } = event.data;
  const { artist_name = null } = event.data;
  const startsAt = Date.parse(starts_at_text);
  const today = todayInZone(timezone, event.occurredAt.getTime());
  const session = sessionOf({ date, time_slot, ends_at_text, artist_name });
  return {
    date,
    startsAt,
    endsAt: ends_at_text === null ? null : Date.parse(ends_at_text),
    timezone,
    zone: zoneName(timezone, startsAt),
    hours: sessionHours({ ...session, artistName: null }, openingHours),
    artist: artist_name,
    label: sessionWords(session, openingHours),
    shortLabel: sessionWords(session, openingHours, today).replaceAll('\u00a0', ' '),
  };
}

/** The label of the time before a move; null if the event does not contain it. */
export function formerTime(
  language: Language,
  { event, openingHours }: BookingMailFacts,
): string | null {
  const { from } = event.data;
  if (from === undefined) return null;
  return timesIn(language).sessionWords(
    { ...slotOf(from), artistName: from.artist_name },
    openingHours,
  );
}
