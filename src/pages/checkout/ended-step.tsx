import type { VNode } from 'preact';
import type { BookedSlot } from '../../database/rows/results.js';
import { type Checkout, hasDetails } from '../../domain/booking/checkout.js';
import { useLanguage } from '../../locales/context.js';
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
  const { t } = useLanguage();
  if (slotState === 'open' && hasDetails(booking)) {
    return (
      <Message lead={t('checkout.expired.open')}>
        <WhoActs />
        <div class="actions">
          <ActionButton act="hold_again" booking={booking}>
            {t('checkout.hold_again.button')}
          </ActionButton>
        </div>
        <p class="fine">{t('checkout.hold_again.next')}</p>
      </Message>
    );
  }
  return (
    <Message lead={t(whyGone(checkout))}>
      {otherTimes.length > 0 && (
        <form method="post" class="person">
          <input type="hidden" name="sequence" value={booking.sequence} />
          <OtherTimes
            alternatives={otherTimes}
            wanted={slotOf(booking)}
            legend={t('checkout.hold_other.legend')}
          />
          <WhoActs />
          <div class="actions">
            <ActButton act="hold_again">{t('checkout.hold_other.button')}</ActButton>
          </div>
        </form>
      )}
      <BookAnother />
    </Message>
  );
}

function whyGone({ slotState }: Checkout) {
  switch (slotState) {
    case 'held':
      return 'checkout.expired.held';
    case 'taken':
      return 'checkout.expired.taken';
    case 'open':
      return 'checkout.expired.erased';
    default:
      return 'checkout.expired.gone';
  }
}

export function Cancelled({ checkout, path }: EndedProps): VNode {
  const { booking } = checkout;
  const { t, rich } = useLanguage();
  const wasConfirmed = booking.confirmed_at !== null;
  const by = wasConfirmed ? 'by_person' : 'released';
  return (
    <Message lead={t(`checkout.cancelled.${booking.studio_word === null ? by : 'by_studio'}`)}>
      <StudioWord booking={booking} />
      {wasConfirmed && (
        <p>
          {rich('checkout.calendar.cancelled', {
            calendar: (words) => <a href={`${path}/calendar.ics`}>{words}</a>,
            download: (words) => <CalendarDownload path={path}>{words}</CalendarDownload>,
          })}
        </p>
      )}
      <BookAnother />
    </Message>
  );
}
