import { h, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { BookingRow, ClosureRow } from '../../database/rows/schema.js';
import type { DomainServices } from '../../domain/deps.js';
import { readBlocks } from '../../domain/studio/blocks.js';
import { readOpenQuestions } from '../../domain/studio/closed-days.js';
import {
  explainSlots,
  readStudioDays,
  type StudioDay,
  type StudioDays,
} from '../../domain/studio/days.js';
import { readNews } from '../../domain/studio/news.js';
import { type Night, readNight } from '../../domain/studio/retention.js';
import { type Artist, choosableArtists } from '../../schedule/artists.js';
import { addDays } from '../../schedule/dates.js';
import { slotKey } from '../../schedule/slots.js';
import { dateWords } from '../../schedule/words.js';
import { ArtistLinks } from '../../web/artist-links.js';
import { calendarDate, type PageScope, query, text } from '../../web/forms.js';
import { findBySlug } from '../artist-choice.js';
import {
  doneOnDayMessages,
  linkToAdd,
  linkToDay,
  linkToSickDays,
  undecidedPath,
} from '../links.js';
import { longDate, longDay, PageContext } from '../moment.js';
import { Unseen } from '../parts.js';
import { isRefresh, sessionOf } from '../session.js';
import { Agenda } from './agenda.js';
import { blocksIn, ClosedDay, dayClosures, type WhyNot } from './closed-day.js';
import { NewsList } from './news.js';
import { cellKey, SlotCard } from './slot-card.js';

/** `Today, Tuesday, December 1`. */
function dayTitle({ days, today }: StudioDays): string {
  const date = days[0]?.date ?? today;
  if (date === today) return `Today, ${longDay(date)}`;
  return dateWords(date).year === dateWords(today).year ? longDay(date) : longDate(date);
}

interface DayPageProps extends StudioDays {
  /** The artists that can be chosen; empty where the studio has one. */
  choosable: readonly Artist[];
  /** The artist shown alone; null: those of `artists`. */
  chosen: Artist | null;
  /** The news on the page of today; null on others. */
  news: VNode | null;
  /** The undecided sessions on closed days, also of other weeks. */
  undecided: readonly BookingRow[];
  why: WhyNot;
  /** The blocks of the days. */
  blocks: readonly ClosureRow[];
  night: Night;
}

/** A day with its sessions, and the week in short. */
function DayPage(props: DayPageProps): VNode {
  const { days, today, artists, choosable, chosen, undecided, why, news, night } = props;
  const { own } = useContext(PageContext);
  const [first] = days;
  if (first === undefined) throw new RangeError('a page without days');
  const slug = chosen?.slug ?? null;
  const after = (days: number) => linkToDay(addDays(first.date, days), slug);
  const ways: (readonly [label: string, href: string])[] = [
    ['Day before', after(-1)],
    ...(first.date === today ? [] : [['Today', linkToDay(null, slug)] as const]),
    ['Day after', after(1)],
    ['Week before', after(-7)],
    ['Week after', after(7)],
  ];
  const closures = dayClosures(first.slots, why);
  const isShared = artists.length > 1;
  return (
    <>
      <p class="trouble" id="stale" role="status" hidden>
        This page is not up to date: the connection is lost. It tries again by itself.
      </p>
      {/* By this key, the script of a page of a fixed date notices that the date is no longer today. */}
      <p class="visually-hidden" id="news" role="status" data-key={`today ${today}`} />
      {own === null && night.heldAfter !== null && (
        <p class="notice">
          Nothing is deleted by age: the clock shows {longDate(night.night)}, and the service last
          ran, as far as it knows, on {longDate(night.heldAfter)}. If the clock is right, run{' '}
          <code>studio retention resume</code>; if not, set it.
        </p>
      )}
      {undecided.length > 0 && (
        <p class="notice">
          {undecided.length === 1 ? 'A session is' : `${undecided.length} sessions are`} on days
          that you closed{choosable.length > 0 && ', or on which their artist is not there'}.{' '}
          <a href={undecidedPath}>Decide</a>
        </p>
      )}
      <ArtistLinks
        artists={choosable}
        shown={chosen}
        all="Everybody"
        linkTo={(artist) =>
          linkToDay(first.date === today ? null : first.date, artist?.slug ?? null)
        }
      />
      <ClosedDay
        date={first.date}
        slots={first.slots}
        closures={closures.filter(({ artist_id }) => !isShared || artist_id === null)}
      />
      {isShared ? <Columns {...props} day={first} /> : <Slots {...props} day={first} />}
      {first.date >= today && (
        <p class="acts">
          <a class="button quiet small" href={linkToAdd(first, slug)}>
            Add a booking
          </a>
          {!isShared && (
            <a class="button quiet small" href={linkToSickDays(first.date, slug)}>
              {chosen === null ? 'I' : <bdi>{chosen.name}</bdi>} cannot work {onDay(first)}
            </a>
          )}
        </p>
      )}
      <nav class="days-nav" aria-label="Days">
        {ways.map(([label, href]) => (
          <a key={label} class="button quiet small" href={href}>
            {label}
          </a>
        ))}
        <form action="/console" class="inline">
          {slug !== null && <input type="hidden" name="artist" value={slug} />}
          <label>
            <Unseen>Day</Unseen>
            <input type="date" name="date" value={first.date} required />
          </label>
          <button class="quiet small">Show</button>
        </form>
      </nav>
      {news}
      <h2>The week</h2>
      <Agenda {...props} />
    </>
  );
}

function onDay({ isToday }: StudioDay): string {
  return isToday ? 'today' : 'on this day';
}

type SlotsProps = Pick<DayPageProps, 'timezone' | 'chosen' | 'undecided' | 'why' | 'blocks'> & {
  day: Pick<StudioDay, 'slots'>;
};

function Slots({ day, timezone, chosen, undecided, why, blocks }: SlotsProps): VNode {
  return (
    <ol class="slots">
      {day.slots.map((slot) => (
        <SlotCard
          key={slotKey(slot)}
          slot={slot}
          timezone={timezone}
          why={why.get(cellKey(slot))}
          isUndecided={undecided.some(({ id }) => id === slot.booking?.id)}
          blocks={blocksIn(slot, day.slots, blocks)}
          artist={chosen?.slug ?? null}
        />
      ))}
    </ol>
  );
}

/** The sessions of several artists in columns; on a phone one below the other. */
function Columns(props: DayPageProps & { day: StudioDay }): VNode {
  const { artists, today, day, why } = props;
  return (
    <div class="columns">
      {artists.map((artist) => {
        const slots = day.slots.filter((slot) => slot.artist.id === artist.id);
        if (slots.length === 0) return null;
        const { slug } = artist;
        return (
          <section key={slug} aria-labelledby={`of-${slug}`}>
            <h2 id={`of-${slug}`}>
              <bdi>{artist.name}</bdi>
              {artist.isHidden && <span class="fine"> takes no new bookings</span>}
            </h2>
            <ClosedDay
              date={day.date}
              slots={slots}
              closures={dayClosures(slots, why).filter(({ artist_id }) => artist_id === artist.id)}
              artist={slug}
            />
            <Slots {...props} day={{ slots }} />
            {day.date >= today && (
              <p class="fine">
                <a href={linkToSickDays(day.date, slug)}>
                  <Unseen>{artist.name} </Unseen>Cannot work {onDay(day)}
                </a>
              </p>
            )}
          </section>
        );
      })}
    </div>
  );
}

const daysShown = 7;

/**
 * `/console`: a day and the week that it begins, of all artists or of the one that the address names, kept
 * up to date while the page is open.
 */
export function registerDays(scope: PageScope, context: DomainServices): void {
  // This is for people who type a slash.
  scope.get('/console/', (_request, reply) => reply.redirect('/console', 301));

  const shown = { schema: query({ done: text, date: calendarDate, artist: text }) };
  scope.get('/console', shown, async (request, reply) => {
    const { date: from = null, artist } = request.query;
    const state = await context.board.read();
    const own = request.consoleArtist;
    const chosen = own ?? findBySlug(state, artist);
    const artistId = chosen?.id ?? null;
    const days = await readStudioDays(context, { from, count: daysShown, artistId });
    const slots = days.days.flatMap((day) => day.slots);
    const dates = {
      from: days.days[0]?.date ?? days.today,
      to: days.days.at(-1)?.date ?? days.today,
    };
    const [{ undecided }, night, blocks, explained] = await Promise.all([
      readOpenQuestions(context, own?.id),
      readNight(context.database),
      readBlocks(context, dates),
      explainSlots(
        context,
        slots.map((slot) => ({ ...slot, artistId: slot.artist.id })),
      ),
    ]);
    const why = new Map(slots.map((slot, index) => [cellKey(slot), explained[index]]));
    const { today } = days;
    const news =
      from !== null && from !== today
        ? null
        : NewsList({
            news: await readNews(context, {
              name: `${sessionOf(request).name}${own === null ? '' : ` (${own.slug})`}`,
              isLook: !isRefresh(request),
              artistId: own?.id ?? null,
            }),
            today,
          });
    return reply.showPage({
      section: 'today',
      title: dayTitle(days),
      messages: doneOnDayMessages,
      children: h(DayPage, {
        ...days,
        choosable: own === null ? choosableArtists(state) : [],
        ...{ chosen, undecided, why, blocks, news, night },
      }),
    });
  });
}
