import type { ComponentChildren, VNode } from 'preact';
import type { OpenTimes as OpenTimesData } from '../../board/open-times.js';
import type { BookedSlot } from '../../database/rows/results.js';
import type { StudioRow } from '../../database/rows/studio.js';
import type { Checkout } from '../../domain/booking/checkout.js';
import type { CodeRefusal, CodeStep } from '../../domain/booking/codes.js';
import type { MovePermission } from '../../domain/booking/move-rules.js';
import { useLanguage } from '../../locales/context.js';
import {
  addressOf,
  addressWords,
  type DatedAddress,
  isSameAddress,
} from '../../schedule/addresses.js';
import type { Artist } from '../../schedule/artists.js';
import { type Session, sessionOf, timesIn } from '../../schedule/times.js';
import { unbroken } from '../../schedule/words.js';
import { ArtistLinks } from '../../web/artist-links.js';
import type { Assets } from '../../web/assets.js';
import { Moon, StudioPage } from '../../web/layout.js';
import type { Trouble } from '../not-open.js';
import { OpenTimes } from '../open-times.js';
import { Appointment, AskStudio, BookingTime, ClockTime, SessionTime, WhoActs } from '../parts.js';
import { ActButton, CodeForm, HasChanged } from './code-form.js';
import { CodePage, isTyped } from './code-page.js';
import { AfterMove, MovesLeft, WhyRefused } from './move-rules.js';

interface MovePageProps {
  assets: Assets;
  checkout: Checkout;
  studio: StudioRow;
  /** The URL path of the checkout page. */
  path: string;
}

export interface ChooseTimePageProps extends MovePageProps {
  openTimes: OpenTimesData;
  /** Why the chosen time is not available; null at first. */
  trouble: Trouble | null;
  /** The artists that can be chosen; none where there is one. */
  artists: readonly Artist[];
  /** The artist whose times are shown; null: everybody. */
  artist: Artist | null;
  artistField: ArtistField;
}

/** The field of an address or a form that names the artist; none where there is one. */
type ArtistField = Record<string, string>;

/** The open times that a booking can be moved to. */
export function ChooseTimePage(props: ChooseTimePageProps): VNode {
  const { checkout, studio, path, openTimes, trouble, artistField } = props;
  const { booking, status } = checkout;
  const linkTo = (query: Record<string, string>): string =>
    `${path}/move?${new URLSearchParams(query).toString()}`;
  const { t, rich } = useLanguage();
  const title = trouble?.title ?? t('move.choose.title');
  const now = {
    time: <BookingTime booking={booking} />,
    keep: (words: ComponentChildren) => <a href={path}>{words}</a>,
  };
  return (
    <MovePage {...props} title={title}>
      <main>
        <div class="choice">
          <h1>{title}</h1>
          {trouble !== null && <p class="trouble">{trouble.text}</p>}
          <p class="lead">
            {rich(`move.choose.${status === 'pending' ? 'pending' : 'confirmed'}`, now)}
          </p>
          <p>{t('move.choose.stays')}</p>
          <MovesLeft checkout={checkout} />
        </div>
        <ArtistLinks
          artists={props.artists}
          shown={props.artist}
          all={t('move.choose.anyone')}
          linkTo={(artist) => linkTo({ artist: artist?.slug ?? '' })}
        />
        <OpenTimes
          openTimes={openTimes}
          linkToSlot={({ date, timeSlot }) => linkTo({ date, time_slot: timeSlot, ...artistField })}
          linkToDate={(from) => linkTo({ from, ...artistField })}
        />
        <p class="choice fine">
          {t('move.choose.zone', { city: studio.city })} <AskStudio studio={studio} />
        </p>
      </main>
    </MovePage>
  );
}

export interface ConfirmMovePageProps extends MovePageProps {
  addresses: readonly DatedAddress[];
  to: BookedSlot & Pick<Session, 'artistName'>;
  artistField: ArtistField;
  after: MovePermission;
  codeStep: CodeStep;
  /** Why the posted form is refused; null if none was posted. */
  refusal: CodeRefusal | null;
  /** Whether the form was posted from a page that is out of date. */
  hasChanged: boolean;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Asks whether to move the booking, with the one button that moves it. */
export function ConfirmMovePage(props: ConfirmMovePageProps): VNode {
  const { checkout, addresses, path, to, artistField, after, codeStep, refusal } = props;
  const { booking, status } = checkout;
  const address = addressOf(addresses, to.date);
  const hasSamePlace = isSameAddress(address, addressOf(addresses, booking.date));
  const language = useLanguage();
  const { t, rich } = language;
  const { sessionWords } = timesIn(language);
  const words = { from: sessionWords(sessionOf(booking)), to: sessionWords(to) };
  const place = !hasSamePlace && (
    <p>{t('move.confirm.address', { address: addressWords(address) })}</p>
  );
  const freed = (
    <>
      {t('move.confirm.freed')} <AfterMove status={status} after={after} to={to} />
    </>
  );
  const form = {
    booking,
    action: `${path}/move`,
    act: 'move' as const,
    fields: { date: to.date, time_slot: to.timeSlot, ...artistField },
    button: <ActButton act="move">{t('move.confirm.button')}</ActButton>,
  };
  const ways = (
    <>
      <a
        class="button quiet"
        href={`${path}/move?${new URLSearchParams({ from: to.date, ...artistField }).toString()}`}
      >
        {t('move.confirm.back')}
      </a>
      <a class="button quiet" href={path}>
        {t('move.confirm.keep')}
      </a>
    </>
  );
  if (isTyped(codeStep) && (codeStep.step === 'enter' || refusal !== null)) {
    return (
      <CodePage {...props} {...form} codeStep={codeStep} ways={ways}>
        <p>
          {rich('code.right.move', {
            from: <BookingTime booking={booking} />,
            to: <SessionTime {...to} />,
          })}{' '}
          {freed}
        </p>
        {place}
      </CodePage>
    );
  }
  return (
    <MovePage {...props} title={t('move.confirm.title', words)}>
      <main>
        <Appointment
          title={rich('move.confirm.heading', {
            from: unbroken(words.from),
            to: unbroken(words.to),
            first: (part) => <span>{part}</span>,
            second: (part) => <span>{part}</span>,
          })}
          session={to}
        />
        <section class="next">
          {place}
          <p>
            {status === 'pending' && (
              <>
                {rich('move.confirm.hold', {
                  time: <ClockTime at={booking.expires_at.getTime()} timezone={to.timezone} />,
                })}{' '}
              </>
            )}
            {freed}
          </p>
          {props.hasChanged && <HasChanged booking={booking} />}
          <WhoActs />
          <CodeForm {...props} {...form} />
          <div class="actions">{ways}</div>
        </section>
      </main>
    </MovePage>
  );
}

/** The rule that forbids moving the booking. */
export function MoveRefusedPage(props: MovePageProps): VNode {
  const { checkout, studio, path } = props;
  const { t, rich } = useLanguage();
  const title = t('move.refused.title');
  return (
    <MovePage {...props} title={title}>
      <main class="failure-text">
        <Moon lit={checkout.status === 'confirmed' ? 1 : 0.5} />
        <h1>{title}</h1>
        <p>
          <WhyRefused checkout={checkout} />
        </p>
        <p>
          {rich('move.refused.unchanged', { time: <BookingTime booking={checkout.booking} /> })}{' '}
          <AskStudio studio={studio} />
        </p>
        <p class="actions">
          <a class="button" href={path}>
            {t('checkout.back')}
          </a>
        </p>
      </main>
    </MovePage>
  );
}

function MovePage(
  props: Pick<MovePageProps, 'assets' | 'studio'> & { title: string; children: ComponentChildren },
): VNode {
  const { assets, studio, title, children } = props;
  return (
    <StudioPage studio={studio} assets={assets} title={title} kind="move">
      {children}
    </StudioPage>
  );
}
