import type { ComponentChildren, VNode } from 'preact';
import type { StudioRow } from '../../database/rows/studio.js';
import type { Checkout } from '../../domain/booking/checkout.js';
import { checkoutPath } from '../../secrets/links.js';
import type { Assets } from '../../web/assets.js';
import { StudioPage } from '../../web/layout.js';
import type { SharingProps } from '../../web/sharing.js';
import { ActButton } from '../checkout/code-form.js';
import { BookingTime, ClockTime, WhoActs } from '../parts.js';
import type { View } from './view.js';

export interface BookLayoutProps {
  assets: Assets;
  studio: StudioRow;
  title: string;
  theme: View['theme'];
  /** The preview of the page where people share it, and in search engines. */
  sharing?: SharingProps | undefined;
  children: ComponentChildren;
}

/**
 * The document of the pages under `/book`. They may be framed, but most pages behind their links may not:
 * links and forms open in the whole window unless they name another target.
 */
export function BookLayout(props: BookLayoutProps): VNode {
  const { assets, studio, title, theme, sharing, children } = props;
  return (
    <StudioPage
      studio={studio}
      assets={assets}
      title={title}
      kind="book"
      isFramed={theme !== null}
      theme={theme === 'auto' ? null : theme}
      script="book.js"
      target="_top"
      {...(sharing !== undefined && {
        indexed: true,
        sharing,
        description: `Choose an open time at ${studio.name}, and book it. Booking is free.`,
      })}
    >
      {children}
    </StudioPage>
  );
}

/** The time that this browser holds, with links to continue and to release it, or has booked. */
export function OwnHoldNote({ ownHold }: { ownHold: Checkout }): VNode {
  const { booking, token, status } = ownHold;
  if (status === 'confirmed') {
    return (
      <section class="own-hold" aria-labelledby="own-hold">
        <h2 id="own-hold">You have booked this time</h2>
        <p>
          Your session on <BookingTime booking={booking} /> is confirmed.
        </p>
        <form method="post" action="/book" class="actions">
          <a class="button" href={checkoutPath(token)}>
            Open my booking
          </a>
          <input type="hidden" name="hold" value={booking.id} />
          <NotMe />
        </form>
      </section>
    );
  }
  return (
    <section class="own-hold" aria-labelledby="own-hold">
      <h2 id="own-hold">You are holding a time</h2>
      <p>
        <BookingTime booking={booking} /> is held for you until{' '}
        <ClockTime at={booking.expires_at.getTime()} timezone={booking.timezone} />, and is not
        confirmed yet.
      </p>
      <WhoActs />
      <form method="post" action="/book" class="actions">
        <a class="button" href={checkoutPath(token)}>
          Go on and confirm
        </a>
        <input type="hidden" name="hold" value={booking.id} />
        <input type="hidden" name="sequence" value={booking.sequence} />
        <ActButton act="release" quiet>
          Let it go
        </ActButton>
        <NotMe />
      </form>
    </section>
  );
}

/** The form for a shared browser: it forgets the time, which stays held. */
function NotMe(): VNode {
  return (
    <button name="action" value="not_me" class="quiet">
      Not me
    </button>
  );
}
