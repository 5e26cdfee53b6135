import type { ComponentChildren, VNode } from 'preact';
import type { Checkout } from '../../domain/booking/checkout.js';
import type { CodeRefusal } from '../../domain/booking/codes.js';
import { useLanguage } from '../../locales/context.js';
import { addressWords, type DatedAddress, mapLink } from '../../schedule/addresses.js';
import { timesIn } from '../../schedule/times.js';
import { maskEmail, maskPhone } from '../../schedule/words.js';
import type { Assets } from '../../web/assets.js';
import { StudioPage } from '../../web/layout.js';
import { Appointment, Notices, timesOf } from '../parts.js';
import { HasChanged } from './code-form.js';
import { NextStep, type NextStepProps } from './next-step.js';

export interface CheckoutPageProps extends NextStepProps {
  assets: Assets;
  /** Why the form that was posted is refused; null if none was. */
  refusal: CodeRefusal | null;
  /** The studio's, if it is another one than today's; null otherwise. */
  newAddress: DatedAddress | null;
  /** Whether the form was posted from a page that is out of date. */
  hasChanged: boolean;
  /** Why nothing is held; null if nothing was wanted. */
  trouble: string | null;
}

/** The checkout page of a booking in any state. */
export function CheckoutPage(props: CheckoutPageProps): VNode {
  const { assets, checkout, studio, now, newAddress } = props;
  const { booking, status } = checkout;
  const { t, rich } = useLanguage();
  const { longDate } = timesIn(useLanguage());
  const title = t(titleOf(checkout));
  const isComing = status === 'pending' || (status === 'confirmed' && !checkout.hasStarted);
  const where = {
    address: addressWords(studio),
    map: (words: ComponentChildren) => (
      <a class="unprinted" href={mapLink(studio)} rel="noopener noreferrer">
        {words}
      </a>
    ),
  };
  return (
    <StudioPage
      studio={studio}
      assets={assets}
      title={title}
      kind={status}
      {...(status === 'pending' && { script: 'checkout.js' as const })}
    >
      <main>
        <Appointment title={title} session={timesOf(booking)} lit={litOf(checkout, now)}>
          {status === 'pending' && <p class="digits unprinted" id="digits" aria-hidden="true" />}
        </Appointment>
        <dl class="facts">
          <div>
            <dt>{t('checkout.where.term')}</dt>
            <dd>
              {newAddress === null
                ? rich('checkout.where', where)
                : rich('checkout.where.moving', { ...where, day: longDate(newAddress.from_date) })}
            </dd>
          </div>
          {isComing && (
            <div>
              <dt>{t('checkout.pay.term')}</dt>
              <dd>{t('checkout.pay')}</dd>
            </div>
          )}
          <Contact booking={booking} />
        </dl>
        {props.hasChanged && <HasChanged booking={booking} />}
        {props.trouble !== null && (
          <p class="trouble" role="alert">
            {props.trouble}
          </p>
        )}
        <NextStep {...props} />
        {isComing && <Notices studio={studio} />}
      </main>
    </StudioPage>
  );
}

function titleOf(checkout: Checkout) {
  switch (checkout.status) {
    case 'pending':
      return 'checkout.title.pending';
    case 'confirmed':
      if (checkout.hasStarted) return 'checkout.title.begun';
      return checkout.booking.closed_day_choice === 'asked'
        ? 'checkout.title.asked'
        : 'checkout.title.confirmed';
    case 'expired':
      return 'checkout.title.expired';
    case 'cancelled':
      return checkout.booking.confirmed_at === null
        ? 'checkout.title.released'
        : 'checkout.title.cancelled';
  }
}

function litOf({ booking, status }: Checkout, now: number): number {
  if (status === 'confirmed') return 1;
  if (status !== 'pending') return 0;
  const [start, end] = [booking.created_at.getTime(), booking.expires_at.getTime()];
  return Math.min(1, Math.max(0, (end - now) / (end - start)));
}

/** The address and the phone: a booking by the studio may lack either, an erased one has neither. */
function Contact({ booking: { email, phone } }: { booking: Checkout['booking'] }): VNode | null {
  const { t, rich } = useLanguage();
  if (email === null && phone === null) return null;
  const address = email !== null && <bdi>{maskEmail(email)}</bdi>;
  const number = phone !== null && maskPhone(phone);
  return (
    <div>
      <dt>{t('checkout.contact.term')}</dt>
      <dd>
        {address && number
          ? rich('checkout.contact', { email: address, phone: number })
          : address || number}
      </dd>
    </div>
  );
}
