import type { VNode } from 'preact';
import type { BookedSlot } from '../../database/rows/results.js';
import type { StudioRow } from '../../database/rows/studio.js';
import type { Checkout } from '../../domain/booking/checkout.js';
import type { MovePermission } from '../../domain/booking/move-rules.js';
import { useLanguage } from '../../locales/context.js';
import { AskStudio, ClockTime } from '../parts.js';

interface CheckoutProps {
  checkout: Checkout;
}

/** Until when and how often the booking can still be moved, or why not and whom to ask. */
export function MoveRules({ checkout, studio }: CheckoutProps & { studio: StudioRow }): VNode {
  const { booking, move, moveOnceConfirmed } = checkout;
  return (
    <>
      {move.allowed ? (
        <MovesLeft checkout={checkout} />
      ) : (
        <p>
          <WhyRefused checkout={checkout} /> <AskStudio studio={studio} />
        </p>
      )}
      {moveOnceConfirmed !== null && <OnceConfirmed booking={booking} move={moveOnceConfirmed} />}
    </>
  );
}

/** The rules for a hold once it is confirmed. */
function OnceConfirmed({
  booking,
  move,
}: Pick<Checkout, 'booking'> & { move: MovePermission }): VNode {
  const { t, rich } = useLanguage();
  if (move.allowed) {
    const time = <Limit at={move.until} of={booking} />;
    return <p>{rich('move.left.once_confirmed', { moves: move.movesLeft ?? 0, time })}</p>;
  }
  return (
    <p>
      {move.reason === 'notice'
        ? t('move.none_once_confirmed.notice', { hours: move.noticeHours })
        : t('move.none_once_confirmed')}
    </p>
  );
}

/** How often and until when the booking can still be moved; null if it cannot. */
export function MovesLeft({ checkout: { booking, status, move } }: CheckoutProps): VNode | null {
  const { rich } = useLanguage();
  if (!move.allowed) return null;
  const moves = move.movesLeft ?? 0;
  return (
    <p>
      {status === 'pending'
        ? rich('move.left.pending', {
            moves,
            time: <ClockTime at={move.until} timezone={booking.timezone} />,
          })
        : rich('move.left.confirmed', { moves, time: <Limit at={move.until} of={booking} /> })}
    </p>
  );
}

/** An instant, with its day. */
function Limit({ at, of }: { at: number; of: { timezone: string; date: string } }): VNode {
  const { timezone, date } = of;
  return <ClockTime at={at} timezone={timezone} known={date} />;
}

/** The rule that forbids moving the booking, as a sentence; null if none does. */
export function WhyRefused({ checkout: { booking, status, move } }: CheckoutProps): VNode | null {
  const { t, rich } = useLanguage();
  if (move.allowed) return null;
  switch (move.reason) {
    case 'notice': {
      const time = <Limit at={move.until} of={booking} />;
      return <>{rich('move.refused.notice', { hours: move.noticeHours, time })}</>;
    }
    case 'number': {
      const of = status === 'pending' ? 'pending' : 'confirmed';
      return <>{t(`move.refused.number.${of}`, { moves: move.limit })}</>;
    }
    default:
      return null;
  }
}

interface AfterMoveProps extends Pick<Checkout, 'status'> {
  after: MovePermission;
  to: BookedSlot;
}

/** The rules after a move to the slot `to` that results in `after`. */
export function AfterMove({ status, after, to }: AfterMoveProps): VNode {
  const { t, rich } = useLanguage();
  if (after.allowed) {
    const moves = after.movesLeft ?? 0;
    if (status === 'pending') return <>{t('move.left_after.pending', { moves })}</>;
    const time = <Limit at={after.until} of={to} />;
    return <>{rich('move.left_after.confirmed', { moves, time })}</>;
  }
  if (status === 'pending') return <>{t('move.none_after.pending')}</>;
  return <>{t(after.reason === 'notice' ? 'move.none_after.notice' : 'move.none_after.number')}</>;
}
