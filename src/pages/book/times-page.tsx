import type { VNode } from 'preact';
import type { OpenTimes as OpenTimesData } from '../../board/open-times.js';
import type { Checkout } from '../../domain/booking/checkout.js';
import { useLanguage } from '../../locales/context.js';
import type { DatedAddress } from '../../schedule/addresses.js';
import type { Artist } from '../../schedule/artists.js';
import type { Slot } from '../../schedule/slots.js';
import { timesIn, wholeMinutes } from '../../schedule/times.js';
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
  const language = useLanguage();
  const { t, rich } = language;
  const { dayWords } = timesIn(language);
  const trouble = isClosed
    ? { title: t('book.day_closed.title'), text: t('book.day_closed', { day: dayWords(day) }) }
    : props.trouble;
  const asked = shownDay && t('book.title.day', { day: dayWords(shownDay.date) });
  const title = trouble?.title ?? asked ?? t('book.title');
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
          {!isLost && (
            <p class="lead">
              {isAnyOpen
                ? t('book.lead', { minutes: wholeMinutes(holdLifetimeSeconds) })
                : t('book.lead.none')}
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
            all={t('open_times.artists.anyone')}
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
                  {t('book.show_all')}
                </a>
              </p>
            )}
            <OpenTimes openTimes={openTimes} {...links} />
          </>
        )}
        <p class="choice fine">
          {t('open_times.zone', { city: studio.city })} <AskStudio studio={studio} />{' '}
          {rich('book.assistants', { guide: (words) => <a href="/guide">{words}</a> })}
        </p>
      </main>
    </BookLayout>
  );
}
