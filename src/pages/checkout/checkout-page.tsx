import type { VNode } from 'preact';
import type { Checkout } from '../../domain/booking/checkout.js';
import type { CodeRefusal } from '../../domain/booking/codes.js';
import { addressWords, type DatedAddress, fromWords, mapLink } from '../../schedule/addresses.js';
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
  const { assets, checkout, studio, now } = props;
  const { booking, status } = checkout;
  const title = titleOf(checkout);
  const isComing = status === 'pending' || (status === 'confirmed' && !checkout.hasStarted);
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
            <dt>Where</dt>
            <dd>
              {addressWords(studio)}
              {props.newAddress !== null &&
                `, our address from ${fromWords(props.newAddress)}`}{' '}
              <a class="unprinted" href={mapLink(studio)} rel="noopener noreferrer">
                Open the map
              </a>
            </dd>
          </div>
          {isComing && (
            <div>
              <dt>To pay</dt>
              <dd>Nothing now, and no card.</dd>
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

function titleOf(checkout: Checkout): string {
  switch (checkout.status) {
    case 'pending':
      return 'This time is held for you';
    case 'confirmed':
      if (checkout.hasStarted) return 'This session was confirmed';
      return checkout.booking.closed_day_choice === 'asked'
        ? 'Please choose another time'
        : 'Your session is confirmed';
    case 'expired':
      return 'Your hold has ended';
    case 'cancelled':
      return checkout.booking.confirmed_at === null
        ? 'This time was released'
        : 'This session is cancelled';
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
  if (email === null && phone === null) return null;
  return (
    <div>
      <dt>For</dt>
      <dd>
        {email !== null && <bdi>{maskEmail(email)}</bdi>}
        {email !== null && phone !== null && ', '}
        {phone !== null && maskPhone(phone)}
      </dd>
    </div>
  );
}
