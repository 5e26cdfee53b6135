import type { ComponentChildren, VNode } from 'preact';
import type { BookedSlot } from '../../database/rows/results.js';
import type { StudioRow } from '../../database/rows/studio.js';
import type { Checkout } from '../../domain/booking/checkout.js';
import type { MovePermission } from '../../domain/booking/move-rules.js';
import { momentWords, timesWords } from '../../schedule/words.js';
import { AskStudio, ClockTime } from '../parts.js';

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
        <p>{onceConfirmed(checkout.booking, checkout.moveOnceConfirmed)}</p>
      )}
    </>
  );
}

/** The rules for a hold once it is confirmed. */
function onceConfirmed(booking: Checkout['booking'], move: MovePermission): ComponentChildren {
  if (move.allowed) {
    return (
      <>
        Once it is confirmed, you can still move it{timesLeft(move)}, until{' '}
        <Limit at={move.until} of={booking} />.
      </>
    );
  }
  return move.reason === 'notice'
    ? `It begins within ${hoursWords(move.noticeHours)}: once it is confirmed, you cannot move it online.`
    : 'Once it is confirmed, you cannot move it online.';
}

/** How often and until when the booking can still be moved; null if it cannot. */
export function MovesLeft({ checkout: { booking, status, move } }: CheckoutProps): VNode | null {
  if (!move.allowed) return null;
  const times = timesLeft(move);
  if (status === 'pending') {
    return (
      <p>
        You can still change the time{times} while it is held. That does not extend the hold, which
        ends at <ClockTime at={move.until} timezone={booking.timezone} />.
      </p>
    );
  }
  return (
    <p>
      {move.movesLeft === null
        ? 'You can move it, which does not count as a move of yours, until'
        : `You can still move it${times}, until`}{' '}
      <Limit at={move.until} of={booking} />.
    </p>
  );
}

/** An instant, with its day. */
function Limit({ at, of }: { at: number; of: { timezone: string; date: string } }): VNode {
  const { timezone, date } = of;
  return <ClockTime at={at} timezone={timezone} known={date} />;
}

/** The rule that forbids moving the booking, as a sentence; null if none does. */
export function whyRefused({ booking, status, move }: Checkout): ComponentChildren {
  if (move.allowed) return null;
  switch (move.reason) {
    case 'notice':
      return (
        <>
          You can move a session online until {hoursWords(move.noticeHours)} before it begins. For
          yours, that was <Limit at={move.until} of={booking} />.
        </>
      );
    case 'number':
      if (move.limit === 0) return 'A confirmed session cannot be moved online.';
      return status === 'pending'
        ? `You can change a time that is held at most ${timesWords(move.limit)}, and you have done so.`
        : `You can move a confirmed session online at most ${timesWords(move.limit)}, and you have done so.`;
    default:
      return null;
  }
}

/** The rules after a move to the slot `to` that results in `after`. */
export function afterMoveWords(
  { status }: Pick<Checkout, 'status'>,
  after: MovePermission,
  to: BookedSlot,
): ComponentChildren {
  const isPending = status === 'pending';
  if (after.allowed) {
    const times = timesLeft(after);
    if (isPending) return `After that, you can still change it${times} while it is held.`;
    return (
      <>
        After that, you can still move it{times}, until <Limit at={after.until} of={to} />.
      </>
    );
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
