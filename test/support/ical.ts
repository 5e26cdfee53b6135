import ICAL from 'ical.js';

/** An event as a reader of the file sees it. Instants are milliseconds since the epoch. */
export interface ReadEvent {
  component: ICAL.Component;
  uid: string;
  summary: string;
  description: string | null;
  isAllDay: boolean;
  /** Of each occurrence; those of an all-day event as if in UTC. */
  occurrences: { startsAt: number; endsAt: number }[];
}

export interface ReadCalendar {
  root: ICAL.Component;
  events: ReadEvent[];
}

/** Reads a calendar with its own time zones only: ical.js would prefer those it knows. */
export function readCalendar(content: string): ReadCalendar {
  ICAL.TimezoneService.reset();
  const root = new ICAL.Component(ICAL.parse(content) as unknown[]);
  for (const zone of root.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
  return { root, events: root.getAllSubcomponents('vevent').map(readEvent) };
}

function readEvent(component: ICAL.Component): ReadEvent {
  const event = new ICAL.Event(component);
  const iterator = event.iterator();
  const occurrences: ReadEvent['occurrences'] = [];
  for (let next = iterator.next(); next; next = iterator.next()) {
    const { startDate, endDate } = event.getOccurrenceDetails(next);
    occurrences.push({ startsAt: instantOf(startDate), endsAt: instantOf(endDate) });
  }
  return {
    component,
    uid: event.uid,
    summary: event.summary,
    description: event.description,
    isAllDay: event.startDate.isDate,
    occurrences,
  };
}

function instantOf(time: ICAL.Time): number {
  if (!time.isDate && time.zone.tzid === 'floating') throw new Error(`${time} has no time zone`);
  return time.isDate ? Date.UTC(time.year, time.month - 1, time.day) : time.toUnixTime() * 1_000;
}
