import type { BookingRow, BookingStatus, Channel, ConfirmedVia } from '../../database/schema.js';
import type { StudioSchedule } from '../../domain/studio-settings.js';
import { timeOfDay } from '../../schedule/words.js';

/** The name, or that it has been erased. */
export function personName({ name }: Pick<BookingRow, 'name'>): string {
  return name ?? '(erased)';
}

const channels: Record<Channel, string> = {
  rest: 'assistant',
  mcp: 'assistant',
  page: 'our page',
  studio: 'studio',
};

/** How the booking came: `assistant (claude)`; empty where an old version did not record it. */
export function channelWords({
  channel,
  platform,
}: Pick<BookingRow, 'channel' | 'platform'>): string {
  if (channel === null) return '';
  return platform === null ? channels[channel] : `${channels[channel]} (${platform})`;
}

const statusWords: Record<BookingStatus, string> = {
  pending: 'held',
  confirmed: 'confirmed',
  expired: 'lapsed',
  cancelled: 'cancelled',
};

/** The status, of a hold with its end, of a session that was missed with that. */
export function statusText(booking: BookingRow, status: BookingStatus): string {
  if (status === 'pending') {
    return `held until ${timeOfDay(booking.timezone, booking.expires_at.getTime())}`;
  }
  const words = statusWords[status];
  return booking.no_show_at === null ? words : `${words}, did not come`;
}

/** What the studio has decided about a booking on a day that it has closed; null: nothing yet. */
export function closedDayWords({ closed_day_choice: choice }: BookingRow): string {
  if (choice === null) return 'undecided';
  return choice === 'kept' ? 'you come in for this one' : 'asked to choose another time';
}

export const confirmedWords: Record<ConfirmedVia, string> = {
  link: 'with the link',
  code: 'with a code',
  studio: 'by the studio',
};

/** Why a person could not have a slot that the studio can; empty where one could. */
export const scheduleWords: Record<StudioSchedule, string> = {
  open: '',
  closed: 'closed',
  busy: 'busy',
  no_session: 'no session',
};

/** The same as a sentence. */
export const onlyStudioWords: Record<StudioSchedule, string> = {
  open: '',
  closed: 'The studio is closed then: only you can book it.',
  busy: 'Your calendar is busy then: only you can book it.',
  no_session: 'The weekly schedule has no session then: only you can book it.',
};
