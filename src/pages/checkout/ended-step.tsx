import type { VNode } from 'preact';
import type { BookedSlot } from '../../database/rows/results.js';
import { type Checkout, hasDetails } from '../../domain/booking/checkout.js';
import { slotOf } from '../../schedule/slots.js';
import { OtherTimes } from '../other-times.js';
import { WhoActs } from '../parts.js';
import { ActButton, ActionButton } from './code-form.js';
import { BookAnother, CalendarDownload, Message, StudioWord } from './step-parts.js';

export interface EndedProps {
  checkout: Checkout;
  /** The URL path of the page. */
  path: string;
  /** The open alternatives to the slot of an expired hold. */
  otherTimes: readonly BookedSlot[];
}

export function Expired({ checkout, otherTimes }: EndedProps): VNode {
  const { booking, slotState } = checkout;
  if (slotState === 'open' && hasDetails(booking)) {
    return (
      <Message lead="It was not confirmed in time, but the time is still open and your details are kept.">
        <WhoActs />
        <div class="actions">
          <ActionButton act="hold_again" booking={booking}>
            Hold it again
          </ActionButton>
        </div>
        <p class="fine">It is then held again, and you confirm it on the next page.</p>
      </Message>
    );
  }
  return (
    <Message lead={whyGone(checkout)}>
      {otherTimes.length > 0 && (
        <form method="post" class="person">
          <input type="hidden" name="sequence" value={booking.sequence} />
          <OtherTimes
            alternatives={otherTimes}
            wanted={slotOf(booking)}
            legend="These are open, and all that you typed is kept. Choose one, and hold it."
          />
          <WhoActs />
          <div class="actions">
            <ActButton act="hold_again">Hold the time you chose</ActButton>
          </div>
        </form>
      )}
      <BookAnother />
    </Message>
  );
}

function whyGone({ slotState }: Checkout): string {
  switch (slotState) {
    case 'held':
      return 'The hold ended before it was confirmed, and another person now holds this time. It may open again within minutes.';
    case 'taken':
      return 'The hold ended before it was confirmed, and another person has booked this time.';
    case 'open':
      return 'The hold ended before it was confirmed. The time is still open, but your details have been deleted.';
    default:
      return 'The hold ended before it was confirmed, and this time can no longer be booked.';
  }
}

const cancelledByStudioLead = 'We had to cancel it, and are sorry. You owe nothing.';

export function Cancelled({ checkout, path }: EndedProps): VNode {
  const { booking } = checkout;
  const wasConfirmed = booking.confirmed_at !== null;
  const lead = wasConfirmed
    ? 'The time is available to others again, and you owe nothing.'
    : 'Nothing was booked, and you owe nothing.';
  return (
    <Message lead={booking.studio_word === null ? lead : cancelledByStudioLead}>
      <StudioWord booking={booking} />
      {wasConfirmed && (
        <p>
          If it is in your calendar, <a href={`${path}/calendar.ics`}>mark it as cancelled there</a>{' '}
          (or <CalendarDownload path={path}>download the file</CalendarDownload>).
        </p>
      )}
      <BookAnother />
    </Message>
  );
}
