import type { VNode } from 'preact';
import type { ClosureRow } from '../../database/rows/schema.js';
import type { StudioDay, StudioSlot } from '../../domain/studio/days.js';
import type { Artist } from '../../schedule/artists.js';
import { sessionStarts } from '../../schedule/slots.js';
import { dateWords, labelWith } from '../../schedule/words.js';
import { useMayChange } from '../artist-choice.js';
import {
  linkToAdd,
  linkToBlock,
  linkToBooking,
  linkToDay,
  linkToNewClosure,
  linkToNewOpening,
  slugOf,
} from '../links.js';
import { longDay } from '../moment.js';
import { Unseen } from '../parts.js';
import { dayClosures, type WhyNot } from './closed-day.js';
import { cellKey, ClosedWords, isInConflict, OpenAgain, slotWord } from './slot-card.js';

export interface AgendaProps {
  days: readonly StudioDay[];
  /** Whose sessions are shown, in columns if they are several. */
  artists: readonly Artist[];
  /** The chosen one of several. */
  chosen: Artist | null;
  why: WhyNot;
  /** The blocks of the days. */
  blocks: readonly ClosureRow[];
}

/** The days of a week, with a line for each session. */
export function Agenda({ days, artists, chosen, why, blocks }: AgendaProps): VNode {
  const isShared = artists.length > 1;
  return (
    <ol class={isShared ? 'agenda shared' : 'agenda'}>
      {days.map((day) => (
        <Day key={day.date} {...{ day, artists, chosen, why, blocks }} />
      ))}
    </ol>
  );
}

function Day(props: Omit<AgendaProps, 'days'> & { day: StudioDay }): VNode {
  const { day, artists, chosen, why, blocks } = props;
  const { weekday, month, day: number } = dateWords(day.date);
  const isShared = artists.length > 1;
  const ofDay = blocks.filter(
    ({ artist_id, from_date }) =>
      from_date === day.date &&
      (artist_id === null || artists.some((artist) => artist.id === artist_id)),
  );
  const closures = [...dayClosures(day.slots, why), ...ofDay];
  return (
    <li class={day.isToday ? 'day today' : 'day'}>
      <h3>
        <a href={linkToDay(day.date, chosen?.slug)}>
          <span class="weekday">{weekday.slice(0, 3)}</span>{' '}
          <span class="number">
            {month.slice(0, 3)} {number}
          </span>
        </a>
      </h3>
      {isShared ? (
        artists.map((artist) => (
          <section key={artist.id}>
            <h4>
              <bdi>{artist.name}</bdi>
            </h4>
            <Cells slots={day.slots.filter((slot) => slot.artist.id === artist.id)} />
            <OwnClosures
              day={day}
              artist={artist}
              closures={closures.filter(({ artist_id }) => artist_id === artist.id)}
            />
          </section>
        ))
      ) : (
        <Cells slots={day.slots} />
      )}
      <Closures
        day={day}
        chosen={chosen}
        closures={closures.filter(({ artist_id }) => !isShared || artist_id === null)}
      />
    </li>
  );
}

function Cells({ slots }: { slots: readonly StudioSlot[] }): VNode {
  return (
    <ul>
      {slots.map((slot) => {
        const { state, word } = slotWord(slot);
        return (
          <li key={slot.timeSlot} class={`cell ${state}`} data-key={`week ${cellKey(slot)}`}>
            <CellHour slot={slot} />{' '}
            {slot.booking !== null ? (
              <div>
                {/* The name has its own direction, so that it keeps its beginning when it is cut. */}
                <a href={linkToBooking(slot.booking.id)} class="word" dir="auto">
                  {word}
                </a>
                {state === 'held' && <span class="muted"> held</span>}
                {isInConflict(slot) && <span class="conflict"> conflict</span>}
              </div>
            ) : slot.isOver ? (
              <span class="word">{word}</span>
            ) : (
              <a href={linkToAdd(slot, slugOf(slot))} class="word">
                {word}
                <Unseen>
                  : add a booking on {longDay(slot.date)} at{' '}
                  {labelWith(slot.timeSlot, slot.artistName)}
                </Unseen>
              </a>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The hour, which leads to the form that closes hours from then on. */
function CellHour({ slot }: { slot: StudioSlot }): VNode {
  const hour = slot.timeSlot.replace(':00', '');
  if (slot.isOver) return <span class="hour">{hour}</span>;
  return (
    <a class="hour" href={linkToBlock(slot.date, sessionStarts(slot.timeSlot), slugOf(slot))}>
      {hour}
      <Unseen>
        : close hours on {longDay(slot.date)}
        {slot.artistName !== null && ` of ${slot.artistName}`}
      </Unseen>
    </a>
  );
}

interface ClosuresProps {
  day: StudioDay;
  /** Those of the whole day, and its blocks. */
  closures: readonly ClosureRow[];
}

/** The closures of a day, or the way to close it, and the one to open it. */
function Closures({ day, closures, chosen }: ClosuresProps & { chosen: Artist | null }): VNode {
  const words = longDay(day.date);
  const mayOpen = useMayChange(null);
  return (
    <p class={closures.length === 0 ? 'fine' : 'fine why'} data-key={`day ${day.date}`}>
      <ClosureLines day={day} closures={closures} />
      {closures.every(({ from_time }) => from_time !== null) && (
        <a href={linkToNewClosure(day.date, chosen?.slug)}>
          Close<Unseen> {words}</Unseen>
        </a>
      )}
      {mayOpen && day.slots.some(({ timeSlot }) => isNobodys(day, timeSlot)) && (
        <>
          {' '}
          <a href={linkToNewOpening(day.date)}>
            Open<Unseen> {words}</Unseen>
          </a>
        </>
      )}
    </p>
  );
}

/** Closures of one of several artists. */
function OwnClosures({ day, closures, artist }: ClosuresProps & { artist: Artist }): VNode {
  return (
    <p class="fine why" data-key={`day ${day.date} ${artist.slug}`}>
      <ClosureLines day={day} closures={closures} />
    </p>
  );
}

function ClosureLines({ day, closures }: ClosuresProps): VNode {
  return (
    <>
      {closures.map((closure) => (
        <span key={closure.id}>
          <ClosedWords closure={closure} />.{' '}
          <OpenAgain closure={closure} date={day.date}>
            <Unseen> {longDay(day.date)}</Unseen>
          </OpenAgain>
        </span>
      ))}
    </>
  );
}

/** Whether none of the artists shown has a session then. */
function isNobodys({ slots }: StudioDay, timeSlot: StudioSlot['timeSlot']): boolean {
  return slots.every((slot) => slot.timeSlot !== timeSlot || slot.schedule === 'no_session');
}
