import type { BookingRow, ConfirmedVia } from '../../database/rows/schema.js';
import type { HistoryEntry } from '../../domain/studio/booking-history.js';
import type { StudioSchedule } from '../../domain/studio/settings.js';
import { closedWords, confirmedWords, personName } from '../../domain/studio/words.js';
import { sessionOf } from '../../schedule/times.js';
import { labelWith, sessionHours, sessionWords } from '../../schedule/words.js';
import { bookingView } from '../../views/booking.js';
import { typedCodeWords } from '../../views/proofs.js';
import type { StaffServices } from '../session.js';
import { facts, localTime, shortId, table } from '../text.js';

/** The public booking plus the personal data that only the studio sees, for `--json`. */
export function bookingData(
  services: Pick<StaffServices, 'clock'>,
): (booking: BookingRow) => Record<string, unknown> {
  return (booking) => {
    const { name, email, phone, pronouns, idea, channel, platform } = booking;
    return {
      ...bookingView(booking, services.clock.now()),
      ...{ name, email, phone, pronouns, idea, channel, platform },
      confirmed_via: confirmedVia(booking),
      moved_at: booking.moved_at,
      no_show_at: booking.no_show_at,
      cancellation_reason: booking.cancellation_reason,
      closed_day_choice: booking.closed_day_choice,
      studio_word: booking.studio_word,
      studio_note: booking.studio_note,
    };
  };
}

/** Null if it was never confirmed. Before version 2.2.0 the link was the only way. */
function confirmedVia({ confirmed_at, confirmed_via }: BookingRow): ConfirmedVia | null {
  return confirmed_at === null ? null : (confirmed_via ?? 'link');
}

/** The channel and, where the booking came through one, the platform: `mcp, claude`. */
function channelText({ channel, platform }: BookingRow): string | null {
  return platform === null ? channel : `${channel ?? ''}, ${platform}`;
}

/** The time of a session with its end; `when` has its zone, too. */
export function timesOf(booking: BookingRow): { session: string; when: string } {
  const session = sessionOf(booking);
  const plain = (words: string) => words.replaceAll('\u00a0', ' ');
  const when = `${sessionWords({ ...session, artistName: null })} (${booking.timezone})`;
  return {
    session: plain(sessionHours(session)),
    when: plain(labelWith(when, booking.artist_name)),
  };
}

/** Bookings as a table, one per line. */
export function bookingTable(
  services: Pick<StaffServices, 'clock'>,
  bookings: readonly BookingRow[],
  none?: string,
): string[] {
  return table(
    ['ID', 'DATE', 'SESSION', 'STATUS', 'NAME', 'PHONE', 'E-MAIL', 'CHANNEL'],
    bookings.map((booking) => [
      shortId(booking.id),
      booking.date,
      timesOf(booking).session,
      bookingView(booking, services.clock.now()).status,
      personName(booking),
      booking.phone ?? '',
      booking.email ?? '',
      channelText(booking) ?? '',
    ]),
    none,
  );
}

/** The history of a booking, for `--json`. */
export function historyData(history: readonly HistoryEntry[]): Record<string, unknown>[] {
  return history.map((entry) => ({
    at: entry.at,
    what: entry.what === 'action' ? entry.action : entry.what,
    by: entry.by,
    actor: entry.actor,
    code_typed_after_seconds: entry.codeTypedAfterSeconds,
  }));
}

/** Every detail of one booking, one per line. */
export function bookingText(
  services: Pick<StaffServices, 'clock'>,
  booking: BookingRow,
  history: readonly HistoryEntry[],
): string[] {
  const view = bookingView(booking, services.clock.now());
  const via = confirmedVia(booking);
  const at = (instant: string | Date | null) =>
    localTime(instant === null ? null : new Date(instant), booking.timezone);
  /** Whether the newest change of its kind had a code. */
  const withCode = (what: HistoryEntry['what']) => {
    const entry = history.findLast((each) => each.what === what);
    const words = typedCodeWords(entry?.codeTypedAfterSeconds ?? null);
    return words && `,${words}`;
  };
  const changed = (instant: string | Date | null, what: HistoryEntry['what']) =>
    instant === null ? null : `${at(instant)}${withCode(what)}`;
  return facts([
    ['Id', booking.id],
    ['When', timesOf(booking).when],
    ['Status', view.status],
    ['Name', personName(booking)],
    ['Pronouns', booking.pronouns],
    ['Phone', booking.phone],
    ['E-mail', booking.email],
    ['Idea', booking.idea],
    ['Channel', channelText(booking)],
    [booking.channel === 'studio' ? 'Added' : 'Held', at(view.created_at)],
    [
      view.status === 'pending' ? 'Expires' : 'Expired',
      view.status === 'pending' ? at(view.expires_at) : at(view.expired_at),
    ],
    [
      'Confirmed',
      via === null
        ? null
        : `${at(view.confirmed_at)}${withCode('confirmed') || `, ${confirmedWords[via]}`}`,
    ],
    ['Moved', changed(booking.moved_at, 'moved')],
    ['No-show', booking.no_show_at === null ? null : `recorded ${at(booking.no_show_at)}`],
    ['Cancelled', changed(view.cancelled_at, 'cancelled')],
    ['Reason', booking.cancellation_reason],
    ['Closed day', booking.closed_day_choice],
    ['Word', booking.studio_word],
    ['Note', booking.studio_note],
  ]);
}

/** A line for a slot outside the schedule, of the artist if one is named, and none for any other. */
export function scheduleLines(schedule: StudioSchedule, artist: string | null = null): string[] {
  if (schedule === 'open') return [];
  if (artist === null) return [`${closedWords[schedule]}.`];
  const why = {
    closed: `The studio is closed then, or ${artist} is away.`,
    busy: `A calendar of ${artist} or of the studio is busy then.`,
    no_session: `The week of ${artist} has no session then.`,
  };
  return [why[schedule]];
}
