import type { CalendarServices } from '../../board/services.js';
import type { BookingSnapshot } from '../../database/rows/booking-snapshots.js';
import type { MailOverview } from '../../database/rows/results.js';
import type { BookingRow } from '../../database/rows/schema.js';
import { findVisitBefore, recordVisit } from '../../repositories/console-sessions.js';
import { listSessionEventsSince } from '../../repositories/events.js';
import { listFailedMailsSince } from '../../repositories/mail-admin.js';
import { addDays } from '../../schedule/dates.js';
import { instantOfWallClock, todayInZone } from '../../schedule/slots.js';
import { type Session, sessionOf } from '../../schedule/times.js';
import { bookingHistory, type HistoryEntry } from './booking-history.js';

/** News for the studio's people: a booking, its change, or a failed mail. */
export type NewsItem = { key: string; at: Date } & (
  | {
      entry: HistoryEntry;
      /** The session at that time. */
      session: Session;
      booking: Pick<BookingRow, 'id' | 'name'>;
    }
  | { mail: MailOverview }
);

export interface News {
  /** When the reader last looked; null if that is unknown. */
  lastLook: Date | null;
  /** The news since then, or since the beginning of yesterday if that is earlier; newest first. */
  items: NewsItem[];
  /** Whether there are more than are shown. */
  more: boolean;
}

const maxItems = 30;

/**
 * The changes since a person of the studio last looked. `isLook`: whether this is a look, not a page that
 * updates itself. `artistId`: only those of an artist's bookings; null: all.
 */
export async function readNews(
  { board, clock, database }: Pick<CalendarServices, 'board' | 'clock' | 'database'>,
  { name, isLook, artistId }: { name: string; isLook: boolean; artistId: number | null },
): Promise<News> {
  const { timezone } = (await board.read()).calendar;
  const lastLook = await (isLook ? recordVisit(database, name) : findVisitBefore(database, name));
  const yesterday = addDays(todayInZone(timezone, clock.now()), -1);
  const { epochMs } = instantOfWallClock(timezone, `${yesterday}T00:00:00`);
  const since = new Date(Math.min(epochMs, lastLook?.getTime() ?? Infinity));
  const [events, mails] = await Promise.all([
    listSessionEventsSince(database, since, { limit: maxItems + 1, artistId }),
    listFailedMailsSince(database, since, { limit: maxItems + 1, artistId }),
  ]);
  const happenings = events.flatMap(({ name: person, ...event }): NewsItem[] => {
    const data = event.data as BookingSnapshot;
    const { ends_at_text = null, artist_name = null } = data;
    const [entry] = bookingHistory([event], []);
    if (entry === undefined) return [];
    const session = sessionOf({ ...data, ends_at_text, artist_name });
    const booking = { id: event.booking_id, name: person };
    return [{ key: event.id, at: event.occurred_at, entry, session, booking }];
  });
  const failed = mails.flatMap((mail): NewsItem[] => {
    const { id, ended_at: at } = mail;
    return at === null ? [] : [{ key: id, at, mail }];
  });
  const items = [...happenings, ...failed].sort((one, other) => +other.at - +one.at);
  const more = items.length > maxItems;
  return { lastLook, items: items.slice(0, maxItems), more };
}
