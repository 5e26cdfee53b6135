import ical, { ICalCalendarMethod, ICalEventClass, ICalEventStatus } from 'ical-generator';
import { Temporal } from 'temporal-polyfill';
import type { BookingRow } from '../database/schema.js';
import { sessionEndsAt } from './session-end.js';
import type { OpeningHoursRow, StudioRow } from '../repositories/studio.js';
import { timeZoneComponent } from './time-zone.js';

export interface CalendarFileFacts {
  booking: BookingRow;
  studio: StudioRow;
  openingHours: readonly OpeningHoursRow[];
  /** Absolute. */
  checkoutUrl: string;
}

/**
 * The session as an iCalendar object (RFC 5545). Its UID is the booking's id and its SEQUENCE grows
 * with every change, so that the file of a cancelled session replaces that of the confirmed one.
 */
export function calendarFile(facts: CalendarFileFacts): string {
  const { booking, studio, openingHours, checkoutUrl } = facts;
  const { timezone } = booking;
  const startsAt = booking.starts_at.getTime();
  const changes = [
    booking.created_at,
    booking.confirmed_at,
    booking.moved_at,
    booking.cancelled_at,
  ];
  const changedAt = new Date(Math.max(...changes.map((at) => at?.getTime() ?? 0)));
  const calendar = ical({
    prodId: { company: 'tattoo-studio-booking', product: 'checkout', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    // Without a name here, DTSTAMP and the like stay in UTC, as 3.8.7 requires.
    timezone: { name: null, generator: (zone) => timeZoneComponent(zone, startsAt) },
  });
  calendar.createEvent({
    id: booking.id,
    sequence: booking.sequence,
    status: booking.status === 'cancelled' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    // In a shared calendar, others see that the time is taken, but not the link.
    class: ICalEventClass.PRIVATE,
    stamp: changedAt,
    timezone,
    start: wallClock(startsAt, timezone),
    end: wallClock(sessionEndsAt(startsAt, timezone, openingHours), timezone),
    summary: `Session at ${studio.name}`,
    location: `${studio.name}, ${studio.street}, ${studio.city}, ${studio.region} ${studio.postal_code}`,
    description: [
      ...studio.notices.map(({ title, text }) => `${title}: ${text}`),
      `Your booking, and how to change or cancel it: ${checkoutUrl}`,
      `Questions: ${studio.email}, ${studio.phone}`,
    ].join('\n\n'),
    url: checkoutUrl,
  });
  return calendar.toString();
}

/** The local time in a zone, as text, which the library does not convert. */
function wallClock(atMs: number, timezone: string): string {
  const moment = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone);
  return moment.toPlainDateTime().toString({ smallestUnit: 'second' });
}
