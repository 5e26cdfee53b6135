import ical, {
  ICalAttendeeRole,
  ICalAttendeeStatus,
  ICalCalendarMethod,
  ICalEvent,
  ICalEventClass,
  ICalEventStatus,
} from 'ical-generator';
import type { NamedAddress } from '../config/validators.js';
import type { StudioRow } from '../database/rows/studio.js';
import type { Language } from '../locales/language.js';
import { addressWords } from '../schedule/addresses.js';
import type { ClosingTime } from '../schedule/weeks.js';
import {
  calendarText,
  lineValue,
  prodId,
  sessionTimes,
  textValue,
  type WrittenSession,
} from './ical-values.js';
import { timeZoneComponent } from './time-zone-component.js';

/** A session as it was at one change of its booking. */
export interface CalendarSession extends WrittenSession {
  /** The booking's id: the UID for life. */
  id: string;
  sequence: number;
  isCancelled: boolean;
  /** Null where the studio has one artist. */
  artistName: string | null;
  changedAt: Date;
}

/**
 * A file downloaded from the checkout page (without a method, since PUBLISH requires an organizer, RFC
 * 5546, 3.2.1), or REQUEST or CANCEL, the calendar part of a mail.
 */
export type CalendarUse =
  | {
      method: null;
      /** Absolute. */
      checkoutUrl: string;
    }
  | { method: 'REQUEST' | 'CANCEL'; organizer: NamedAddress; attendee: NamedAddress };

export interface CalendarFileFacts {
  session: CalendarSession;
  /** The studio on the date of the session. */
  studio: StudioRow;
  openingHours: readonly ClosingTime[];
  use: CalendarUse;
}

/**
 * The session as an iCalendar object (RFC 5545), as a file or as an iTIP message (RFC 5546). Its UID
 * is the booking's id and its SEQUENCE grows with every change, so that a cancelled session replaces
 * the confirmed one. An invitation does not contain the link of the page, since calendars are shared.
 */
export function calendarFile({ t }: Language, facts: CalendarFileFacts): string {
  const { session, studio, openingHours, use } = facts;
  const { artistName: artist, changedAt } = session;
  const { range, written } = sessionTimes(session, openingHours);
  const calendar = ical({
    prodId: prodId('checkout'),
    ...(use.method !== null && { method: ICalCalendarMethod[use.method] }),
  });
  const event = new ICalEvent(
    {
      id: session.id,
      sequence: session.sequence,
      status: session.isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
      // In a shared calendar, others see that the time is taken, but not the details.
      class: ICalEventClass.PRIVATE,
      stamp: changedAt,
      ...written,
      summary: textValue(
        artist === null
          ? t('calendar_file.session', { studio: studio.name })
          : t('calendar_file.session.artist', { artist, studio: studio.name }),
      ),
      location: textValue(`${studio.name}, ${addressWords(studio)}`),
      description: textValue(
        [
          ...studio.notices.map(({ title, text }) => `${title}: ${text}`),
          use.method === null
            ? t('calendar_file.page', { link: use.checkoutUrl })
            : t(howToChange[use.method]),
          t('calendar_file.questions', { email: studio.email, phone: studio.phone }),
        ].join('\n\n'),
      ),
    },
    calendar,
  );
  if (use.method === null) {
    event.url(use.checkoutUrl);
  } else {
    const { organizer, attendee } = use;
    event.lastModified(changedAt);
    event.organizer({ name: commonName(organizer), email: organizer.address });
    event.createAttendee({
      name: commonName(attendee),
      email: attendee.address,
      role: ICalAttendeeRole.REQ,
      status: ICalAttendeeStatus.ACCEPTED,
      rsvp: false,
    });
  }
  const { from } = range;
  // The library writes UTC without a zone.
  const zones =
    written.timezone === 'UTC' ? [] : [timeZoneComponent(written.timezone, [{ from, to: from }])];
  return calendarText(calendar, zones, [event]);
}

const howToChange = {
  REQUEST: 'calendar_file.change',
  CANCEL: 'calendar_file.cancelled',
} as const;

/**
 * A name as the CN parameter (RFC 5545, 3.2.2), which can contain neither quotes nor control
 * characters. The library would escape them with backslashes, which parameters do not have.
 */
function commonName({ name, address }: NamedAddress): string {
  const value = lineValue(name).replace(/["\\]/g, "'");
  return value === '' ? address : value;
}
