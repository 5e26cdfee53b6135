import type { Config } from '../../config/config.js';
import type { BookingRow } from '../../database/rows/schema.js';
import type { MoveLimits } from '../../repositories/booking-moves.js';
import { statusAt } from '../../schedule/slots.js';

/** How many times the person may move a hold. */
const movesWhilePending = 5;

const hourMs = 3_600_000;

/** Whether the person may move a booking, and if not, why. */
export type MovePermission =
  | {
      allowed: true;
      /** Null where the studio has asked the person to choose another time: that does not count. */
      movesLeft: number | null;
      /**
       * Milliseconds since the epoch: a session may be moved until this instant inclusive, a hold before
       * it (`expires_at`).
       */
      until: number;
    }
  | { allowed: false; reason: 'not_live' | 'begun' }
  /** `until` was the last instant, in milliseconds since the epoch. */
  | { allowed: false; reason: 'notice'; noticeHours: number; until: number }
  /** `limit` is how many times a booking of its status may be moved. */
  | { allowed: false; reason: 'number'; limit: number };

export function moveLimits({ maxMoves, moveNoticeHours }: Config): MoveLimits {
  return {
    whilePending: movesWhilePending,
    onceConfirmed: maxMoves,
    noticeHours: moveNoticeHours,
  };
}

/**
 * Whether the person may move the booking at `now` (milliseconds since the epoch). The notice is a
 * duration, so that a change of daylight saving neither shortens nor lengthens it. The statement that
 * moves the booking decides by the same rules.
 */
export function movePermission(
  booking: BookingRow,
  { whilePending, onceConfirmed, noticeHours }: MoveLimits,
  now: number,
): MovePermission {
  const status = statusAt(booking, now);
  if (status === 'pending') {
    const movesLeft = whilePending - booking.moves_while_pending;
    if (movesLeft <= 0) return { allowed: false, reason: 'number', limit: whilePending };
    return { allowed: true, movesLeft, until: booking.expires_at.getTime() };
  }
  if (status !== 'confirmed') return { allowed: false, reason: 'not_live' };
  const startsAt = booking.starts_at.getTime();
  const until = startsAt - noticeHours * hourMs;
  const movesLeft = onceConfirmed - booking.moves_once_confirmed;
  if (now >= startsAt) return { allowed: false, reason: 'begun' };
  // The person whom the studio has asked is bound by neither notice nor number, until the session begins.
  if (booking.closed_day_choice === 'asked') {
    return { allowed: true, movesLeft: null, until: startsAt };
  }
  if (movesLeft <= 0) return { allowed: false, reason: 'number', limit: onceConfirmed };
  if (now > until) return { allowed: false, reason: 'notice', noticeHours, until };
  return { allowed: true, movesLeft, until };
}

/** Whether the person may move the booking once more at `now`, after a move to `startsAt`. */
export function movePermissionAfter(
  booking: BookingRow,
  startsAt: Date,
  limits: MoveLimits,
  now: number,
): MovePermission {
  const isPending = booking.status === 'pending';
  const isCounted = !isPending && booking.closed_day_choice !== 'asked';
  const moved = {
    ...booking,
    starts_at: startsAt,
    closed_day_choice: null,
    moves_while_pending: booking.moves_while_pending + (isPending ? 1 : 0),
    moves_once_confirmed: booking.moves_once_confirmed + (isCounted ? 1 : 0),
  };
  return movePermission(moved, limits, now);
}
