import ICAL from 'ical.js';

/** Reads a calendar with its own time zones only: ical.js would prefer those it knows. */
export function readCalendar(content: string) {
  ICAL.TimezoneService.reset();
  const root = new ICAL.Component(ICAL.parse(content) as unknown[]);
  for (const zone of root.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
  return { root, events: root.getAllSubcomponents('vevent').map(readEvent) };
}

/** An event as a reader of the file sees it. */
function readEvent(component: ICAL.Component) {
  const event = new ICAL.Event(component);
  const iterator = event.iterator();
  const occurrences: { startsAt: number; endsAt: number }[] = [];
  for (let next = iterator.next(); next; next = iterator.next()) {
    const { startDate, endDate } = event.getOccurrenceDetails(next);
    occurrences.push({ startsAt: instantOf(startDate), endsAt: instantOf(endDate) });
  }
  return {
    component,
    event,
    uid: event.uid,
    summary: event.summary,
    description: event.description,
    isAllDay: event.startDate.isDate,
    /** Instants in milliseconds since the epoch; those of an all-day event as if in UTC. */
    occurrences,
  };
}

function instantOf(time: ICAL.Time): number {
  if (!time.isDate && time.zone.tzid === 'floating') throw new Error(`${time} has no time zone`);
  return time.isDate ? Date.UTC(time.year, time.month - 1, time.day) : time.toUnixTime() * 1_000;
}
