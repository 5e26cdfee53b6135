import type { VNode } from 'preact';
import { timeOfDay } from '../../schedule/words.js';
import type { OwnHold } from '../own-hold.js';

/** Says which time this browser holds, with ways to go on and to let it go. */
export function OwnHoldNote({ ownHold: { checkout, token } }: { ownHold: OwnHold }): VNode {
  const { booking } = checkout;
  return (
    <section class="own-hold" aria-labelledby="own-hold">
      <h2 id="own-hold">You are holding a time</h2>
      <p>
        {booking.label} is held for you until{' '}
        <time dateTime={booking.expires_at.toISOString()}>
          {timeOfDay(booking.timezone, booking.expires_at.getTime())}
        </time>
        , and is not confirmed yet.
      </p>
      <form method="post" action="/book" class="actions">
        <a class="button" href={`/checkout/${token}`}>
          Go on and confirm
        </a>
        <input type="hidden" name="hold" value={booking.id} />
        <input type="hidden" name="sequence" value={booking.sequence} />
        <button name="action" value="release" class="quiet">
          Let it go
        </button>
      </form>
    </section>
  );
}
