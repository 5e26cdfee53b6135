import type { CalendarServices } from '../board/services.js';
import type { BookingSnapshot } from '../database/booking-snapshots.js';
import type { BookingRow, EventType } from '../database/schema.js';
import { findVisitBefore, recordVisit } from '../repositories/console-sessions.js';
import { listBookingEventsSince } from '../repositories/events.js';
import { listMailProblems, type MailOverview } from '../repositories/mail-admin.js';
import { addDays } from '../schedule/dates.js';
import { instantOfWallClock, todayInZone } from '../schedule/slots.js';
import { type Session, sessionOf } from '../schedule/words.js';
import { bookingHistory, type HistoryEntry } from './booking-history.js';

/** Something that the studio's people want to know of: a booking, its change, or a mail that failed. */
export type NewsItem = { key: string; at: Date } & (
  | {
      entry: HistoryEntry;
      /** As of then. */
      session: Session;
      booking: Pick<BookingRow, 'id' | 'name'>;
    }
  | { mail: MailOverview }
);

export interface News {
  /** When the reader last looked; null if that is unknown. */
  lastLook: Date | null;
  /** Since then, or since the beginning of yesterday if that is earlier; newest first. */
  items: NewsItem[];
  /** Whether there are more than are shown. */
  more: boolean;
}

const newsTypes: readonly EventType[] = [
  'booking.confirmed',
  'booking.moved',
  'booking.cancelled',
  'booking.conflict',
];
const maxItems = 30;

/**
 * What has happened since a person of the studio last looked. `isLook`: whether this is a look, as opposed
 * to a page that keeps itself up to date.
 */
export async function readNews(
  { board, clock, database }: Pick<CalendarServices, 'board' | 'clock' | 'database'>,
  name: string,
  isLook: boolean,
): Promise<News> {
  const { timezone } = (await board.read()).calendar;
  const lastLook = await (isLook ? recordVisit(database, name) : findVisitBefore(database, name));
  const yesterday = addDays(todayInZone(timezone, clock.now()), -1);
  const { epochMs } = instantOfWallClock(timezone, `${yesterday}T00:00:00`);
  const since = new Date(Math.min(epochMs, lastLook?.getTime() ?? Infinity));
  const [events, mails] = await Promise.all([
    listBookingEventsSince(database, { since, types: newsTypes, limit: maxItems + 1 }),
    listMailProblems(database, maxItems),
  ]);
  const happenings = events.flatMap(({ name: person, ...event }): NewsItem[] => {
    const { confirmed_at, date, time_slot, ends_at_text = null } = event.data as BookingSnapshot;
    const [entry] = bookingHistory([event], []);
    // A hold that is let go or moved is no news, nor is a change that keeps the slot.
    if (entry === undefined || entry.what === 'changed' || confirmed_at === null) return [];
    const session = sessionOf({ date, time_slot, ends_at_text });
    const booking = { id: event.booking_id, name: person };
    return [{ key: event.id, at: event.occurred_at, entry, session, booking }];
  });
  const failed = mails.flatMap((mail): NewsItem[] => {
    const { id, status, ended_at: at } = mail;
    return status === 'failed' && at !== null && at > since ? [{ key: id, at, mail }] : [];
  });
  const items = [...happenings, ...failed].sort((one, other) => +other.at - +one.at);
  const more = events.length > maxItems || items.length > maxItems;
  return { lastLook, items: items.slice(0, maxItems), more };
}
