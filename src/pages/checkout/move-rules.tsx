import type { VNode } from 'preact';
import type { Checkout } from '../../domain/checkout.js';
import type { MovePermission } from '../../domain/move-rules.js';
import type { BookedSlot } from '../../repositories/slot-taking.js';
import type { StudioRow } from '../../repositories/studio.js';
import { momentWords, timeOfDay, timesWords } from '../../schedule/words.js';
import { AskStudio } from '../parts.js';

interface CheckoutProps {
  checkout: Checkout;
}

/** Until when and how often the booking can still be moved, or why not and whom to ask. */
export function MoveRules({ checkout, studio }: CheckoutProps & { studio: StudioRow }): VNode {
  return (
    <>
      {checkout.move.allowed ? (
        <MovesLeft checkout={checkout} />
      ) : (
        <p>
          {whyRefused(checkout)} <AskStudio studio={studio} />
        </p>
      )}
      {checkout.moveOnceConfirmed !== null && (
        <p>{onceConfirmedWords(checkout.booking, checkout.moveOnceConfirmed)}</p>
      )}
    </>
  );
}

/** What the rules allow for a hold once it is confirmed. */
function onceConfirmedWords({ timezone, date }: Checkout['booking'], move: MovePermission): string {
  if (move.allowed) {
    return `Once it is confirmed, you can still move it${timesLeft(move)}, until ${momentWords(timezone, move.until, date)}, the studio’s time.`;
  }
  return move.reason === 'notice'
    ? `It begins within ${hoursWords(move.noticeHours)}: once it is confirmed, you cannot move it online.`
    : 'Once it is confirmed, you cannot move it online.';
}

/** How often and until when the booking can still be moved; null if it cannot. */
export function MovesLeft({ checkout: { booking, status, move } }: CheckoutProps): VNode | null {
  if (!move.allowed) return null;
  const { timezone, date } = booking;
  const times = timesLeft(move);
  if (status === 'pending') {
    return (
      <p>
        You can still change the time{times} while it is held. That does not extend the hold, which
        ends at {timeOfDay(timezone, move.until)}.
      </p>
    );
  }
  return (
    <p>
      {move.movesLeft === null
        ? 'You can move it, which does not count as a move of yours, until'
        : `You can still move it${times}, until`}{' '}
      <time dateTime={new Date(move.until).toISOString()}>
        {momentWords(timezone, move.until, date)}
      </time>
      , the studio’s time.
    </p>
  );
}

/** The rule that forbids moving the booking, as a sentence; empty if none does. */
export function whyRefused({ booking, status, move }: Checkout): string {
  if (move.allowed) return '';
  switch (move.reason) {
    case 'notice':
      return `You can move a session online until ${hoursWords(move.noticeHours)} before it begins. For yours, that was ${momentWords(booking.timezone, move.until, booking.date)}, the studio’s time.`;
    case 'number':
      if (move.limit === 0) return 'A confirmed session cannot be moved online.';
      return status === 'pending'
        ? `You can change a time that is held at most ${timesWords(move.limit)}, and you have done so.`
        : `You can move a confirmed session online at most ${timesWords(move.limit)}, and you have done so.`;
    default:
      return '';
  }
}

/** What the rules allow after a move to the slot `to` that results in `after`. */
export function afterMoveWords(
  { status }: Pick<Checkout, 'status'>,
  after: MovePermission,
  to: BookedSlot,
): string {
  const isPending = status === 'pending';
  if (after.allowed) {
    const times = timesLeft(after);
    return isPending
      ? `After that, you can still change it${times} while it is held.`
      : `After that, you can still move it${times}, until ${momentWords(to.timezone, after.until, to.date)}.`;
  }
  if (isPending) return 'After that, you cannot change it again while it is held.';
  return after.reason === 'notice'
    ? 'It begins so soon that you cannot move it online again.'
    : 'After that, you cannot move it online again.';
}

/** ` twice`; empty where no number binds the person. */
function timesLeft({ movesLeft }: MovePermission & { allowed: true }): string {
  return movesLeft === null ? '' : ` ${timesWords(movesLeft)}`;
}

function hoursWords(hours: number): string {
  return hours === 1 ? 'an hour' : `${hours} hours`;
}
