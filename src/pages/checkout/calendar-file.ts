import ical, { ICalCalendarMethod, ICalEventClass, ICalEventStatus } from 'ical-generator';
import { Temporal } from 'temporal-polyfill';
import type { BookingRow } from '../../database/schema.js';
import { sessionEndsAt } from '../../calendar/session-end.js';
import type { OpeningHoursRow, StudioRow } from '../../repositories/studio.js';
import { timeZoneComponent } from './time-zone.js';

export interface CalendarFileFacts {
  booking: BookingRow;
  studio: StudioRow;
  openingHours: readonly OpeningHoursRow[];
  /** Absolute. */
  checkoutUrl: string;
}

/**
 * The session as an iCalendar object (RFC 5545). Its UID is the booking's for good, and its SEQUENCE
 * grows with the booking, so that the file of a cancelled session replaces that of the confirmed.
 */
export function calendarFile(facts: CalendarFileFacts): string {
  const { booking, studio, openingHours, checkoutUrl } = facts;
  const { timezone } = booking;
  const startsAt = booking.starts_at.getTime();
  const changedAt = booking.cancelled_at ?? booking.confirmed_at ?? booking.created_at;
  const calendar = ical({
    prodId: { company: 'tattoo-studio-booking', product: 'checkout', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    // Without a name here, the bookkeeping instants stay in UTC, as 3.8.7 asks for.
    timezone: { name: null, generator: (zone) => timeZoneComponent(zone, startsAt) },
  });
  calendar.createEvent({
    id: booking.id,
    sequence: booking.sequence,
    status: booking.status === 'cancelled' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    // Whoever else sees the calendar sees that the time is taken, and not the link.
    class: ICalEventClass.PRIVATE,
    stamp: changedAt,
    timezone,
    start: wallClock(startsAt, timezone),
    end: wallClock(sessionEndsAt(startsAt, timezone, openingHours), timezone),
    summary: `Session at ${studio.name}`,
    location: `${studio.name}, ${studio.street}, ${studio.city}, ${studio.region} ${studio.postal_code}`,
    description: [
      ...studio.notices.map(({ title, text }) => `${title}: ${text}`),
      `Your booking, and how to cancel it: ${checkoutUrl}`,
      `Questions: ${studio.email}, ${studio.phone}`,
    ].join('\n\n'),
    url: checkoutUrl,
  });
  return calendar.toString();
}

/** What the studio's clock shows, in the form that the library passes on as it is. */
function wallClock(atMs: number, timezone: string): string {
  const moment = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone);
  return moment.toPlainDateTime().toString({ smallestUnit: 'second' });
}
