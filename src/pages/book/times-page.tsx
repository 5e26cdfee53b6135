import type { VNode } from 'preact';
import type { OpenTimes as OpenTimesData } from '../../board/open-times.js';
import type { Checkout } from '../../domain/booking/checkout.js';
import type { DatedAddress } from '../../schedule/addresses.js';
import type { Artist } from '../../schedule/artists.js';
import type { Slot } from '../../schedule/slots.js';
import { dayWords, minutesWords } from '../../schedule/words.js';
import { ArtistLinks } from '../../web/artist-links.js';
import type { Assets } from '../../web/assets.js';
import type { SharingProps } from '../../web/sharing.js';
import type { Trouble } from '../not-open.js';
import { DayTimes, OpenTimes } from '../open-times.js';
import { AskStudio, ComingAddresses } from '../parts.js';
import { BookLayout, OwnHoldNote } from './book-layout.js';
import { Filter } from './filter.js';
import { isFiltered, linkToForm, linkToMonth, plainView, type View } from './view.js';

export interface TimesPageProps {
  assets: Assets;
  sharing: SharingProps;
  addresses: readonly DatedAddress[];
  today: string;
  holdLifetimeSeconds: number;
  openTimes: OpenTimesData;
  /** The day that was asked for, if one was. */
  day: string | undefined;
  view: View;
  /** Whom a person can choose; none where there is one. */
  artists: readonly Artist[];
  /** Whether the trouble is the artist: then another one is chosen before a time. */
  isLost: boolean;
  ownHold: Checkout | null;
  /** Why the time that was chosen before cannot be had; null at first. */
  trouble: Trouble | null;
}

/** The open times, each a link to its form. */
export function TimesPage(props: TimesPageProps): VNode {
  const { assets, sharing, holdLifetimeSeconds, openTimes, view, artists, isLost } = props;
  const { ownHold, day } = props;
  const { studio } = sharing;
  const shownDay = openTimes.days.find(({ date }) => date === day);
  const isClosed = day !== undefined && shownDay === undefined;
  const trouble = isClosed ? notOpenOn(dayWords(day)) : props.trouble;
  const asked = shownDay === undefined ? 'Book a session' : `Book on ${dayWords(shownDay.date)}`;
  const title = trouble?.title ?? asked;
  const links = {
    linkToSlot: (slot: Slot) => linkToForm(view, slot),
    linkToDate: (from: string) => linkToMonth(view, from),
    target: '_self',
  } as const;
  const isAnyOpen = openTimes.offered.times.length > 0;
  return (
    <BookLayout
      assets={assets}
      studio={studio}
      title={title}
      theme={view.theme}
      sharing={trouble === null && ownHold === null ? sharing : undefined}
    >
      <main>
        <div class="choice">
          <h1>{title}</h1>
          {trouble !== null && <p class="trouble">{trouble.text}</p>}
          {ownHold !== null && <OwnHoldNote ownHold={ownHold} />}
          {isLost ? null : isAnyOpen ? (
            <p class="lead">
              Choose a time. We hold it for you for {minutesWords(holdLifetimeSeconds)} while you
              confirm. Booking is free.
            </p>
          ) : (
            <p class="lead">
              Nothing is open at the moment. Times open again after a cancellation, and as new dates
              come up.
            </p>
          )}
          <ComingAddresses {...props} />
        </div>
        {shownDay !== undefined && <DayTimes day={shownDay} {...links} />}
        {(isAnyOpen || isFiltered(view) || isLost) && (
          <ArtistLinks
            artists={artists}
            shown={isLost ? undefined : view.artist}
            linkTo={(artist) =>
              linkToMonth({ ...view, artist }, isLost ? openTimes.shown.from : undefined)
            }
            target="_self"
            all="Anyone"
          />
        )}
        {(isAnyOpen || isFiltered(view)) && !isLost && (
          <>
            {view.artist !== null && view.artist.about !== '' && (
              <p class="fine">
                <bdi>{view.artist.about}</bdi>
              </p>
            )}
            <Filter view={view} openTimes={openTimes} />
            {isFiltered(view) && (
              <p>
                <a href={linkToMonth({ ...plainView, theme: view.theme })} target="_self">
                  Show all open times
                </a>
              </p>
            )}
            <OpenTimes openTimes={openTimes} {...links} />
          </>
        )}
        <p class="choice fine">
          All times are the studio’s, in {studio.city}. <AskStudio studio={studio} /> Your assistant
          can hold a time for you, too. <a href="/guide">What assistants need to know</a>
        </p>
      </main>
    </BookLayout>
  );
}

function notOpenOn(day: string): Trouble {
  return { title: 'That day is not open', text: `Nothing is open on ${day}.` };
}
