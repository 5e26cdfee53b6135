import type { ComponentChildren, VNode } from 'preact';
import type { StudioRow } from '../../database/rows/studio.js';
import type { Checkout } from '../../domain/booking/checkout.js';
import { useLanguage } from '../../locales/context.js';
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
  const { t } = useLanguage();
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
        description: t('book.description', { studio: studio.name }),
      })}
    >
      {children}
    </StudioPage>
  );
}

/** The time that this browser holds, with links to continue and to release it, or has booked. */
export function OwnHoldNote({ ownHold }: { ownHold: Checkout }): VNode {
  const { booking, token, status } = ownHold;
  const { t, rich } = useLanguage();
  const session = <BookingTime booking={booking} />;
  if (status === 'confirmed') {
    return (
      <section class="own-hold" aria-labelledby="own-hold">
        <h2 id="own-hold">{t('own_hold.booked.heading')}</h2>
        <p>{rich('own_hold.booked', { session })}</p>
        <form method="post" action="/book" class="actions">
          <a class="button" href={checkoutPath(token)}>
            {t('own_hold.booked.open')}
          </a>
          <input type="hidden" name="hold" value={booking.id} />
          <NotMe />
        </form>
      </section>
    );
  }
  return (
    <section class="own-hold" aria-labelledby="own-hold">
      <h2 id="own-hold">{t('own_hold.held.heading')}</h2>
      <p>
        {rich('own_hold.held', {
          session,
          end: <ClockTime at={booking.expires_at.getTime()} timezone={booking.timezone} />,
        })}
      </p>
      <WhoActs />
      <form method="post" action="/book" class="actions">
        <a class="button" href={checkoutPath(token)}>
          {t('own_hold.held.open')}
        </a>
        <input type="hidden" name="hold" value={booking.id} />
        <input type="hidden" name="sequence" value={booking.sequence} />
        <ActButton act="release" quiet>
          {t('own_hold.held.release')}
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
      {useLanguage().t('own_hold.not_me')}
    </button>
  );
}
