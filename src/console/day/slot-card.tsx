import { type ComponentChildren, Fragment, type VNode } from 'preact';
import type { BookingRow, ClosureRow } from '../../database/rows/schema.js';
import type { StudioSlot, ExplainedSlot } from '../../domain/studio/days.js';
import { awayWords, personName } from '../../domain/studio/words.js';
import { isThere } from '../../schedule/calendar.js';
import { sessionStarts, slotKey, timeSlots } from '../../schedule/slots.js';
import { sessionOf } from '../../schedule/times.js';
import { labelWith, timeOfDay } from '../../schedule/words.js';
import { CalendarLabel, useMayChange } from '../artist-choice.js';
import { NoShowForm } from '../bookings/jobs.js';
import {
  channelWords,
  closedDayWords,
  PersonLink,
  PhoneLink,
  scheduleWords,
} from '../bookings/words.js';
import { busyWords } from '../calendars/words.js';
import { closurePart } from '../hours/closure-parts.js';
import {
  linkToAdd,
  linkToBlock,
  linkToBooking,
  linkToClosure,
  slugOf,
  undecidedPath,
} from '../links.js';
import { Hours, longDate } from '../moment.js';
import { isolated, Unseen } from '../parts.js';

export interface SlotCardProps {
  slot: StudioSlot;
  timezone: string;
  why: ExplainedSlot | undefined;
  /** Whether its day is closed, and the studio has not decided about the booking yet. */
  isUndecided: boolean;
  /** The blocks that are drawn in it. */
  blocks: readonly ClosureRow[];
  /** The artist of the page, as `linkToDay` names them. */
  artist: string | null;
}

/** The key by which the page's script updates a slot. */
export function cellKey(slot: StudioSlot): string {
  const slug = slugOf(slot);
  return slug === null ? slotKey(slot) : `${slotKey(slot)} ${slug}`;
}

/** A slot of the day, with its person. Its artist stands above it, if they are named. */
export function SlotCard({
  slot,
  timezone,
  why,
  isUndecided,
  blocks,
  artist,
}: SlotCardProps): VNode {
  const { state, word } = slotWord(slot);
  const { booking, artistName } = slot;
  const at = labelWith(slot.timeSlot, artistName);
  // The closure then says it itself.
  const isClosedItself =
    !slot.isOver && why?.closures.some(({ time_slot }) => time_slot !== null) === true;
  const conflict = isInConflict(slot) ? `${ownCalendar(slot)} is busy then` : null;
  const hours = (
    <Hours of={{ ...(booking === null ? slot : sessionOf(booking)), artistName: null }} />
  );
  const news = [word, conflict].filter((part) => part !== null).join(', ');
  return (
    <li
      class={artistName === null ? `slot ${state}` : `slot ${state} session-${placeOf(slot)}`}
      data-key={cellKey(slot)}
      data-news={`${at}: ${news}`}
    >
      <p class="hour">
        {slot.isOver ? (
          hours
        ) : (
          <a href={linkToBlock(slot.date, sessionStarts(slot.timeSlot), slugOf(slot))}>
            {hours}
            <Unseen>
              : close hours
              {artistName !== null && ` of ${artistName}`}
            </Unseen>
          </a>
        )}
      </p>
      {booking === null ? (
        <>
          <div class="what">
            {!isClosedItself && (
              <p>
                {slot.schedule === 'busy' && !slot.isOver
                  ? `busy in ${ownCalendar(slot).toLowerCase()}`
                  : word}
              </p>
            )}
            {!slot.isOver && why !== undefined && <WhyNot slot={slot} why={why} />}
          </div>
          {!slot.isOver && (
            <p class="acts">
              <a class="button quiet small" href={linkToAdd(slot, slugOf(slot))}>
                Add<Unseen> a booking at {at}</Unseen>
              </a>
            </p>
          )}
        </>
      ) : (
        <>
          <div class="what">
            <PersonLink booking={booking} class="client" />
            {conflict !== null && <p class="warned">{conflict}</p>}
            {booking.closed_day_choice !== null && <p class="muted">{closedDayWords(booking)}</p>}
            {isUndecided && (
              <p class="warned">
                {slot.artist.isHidden || !isThere(slot.artist, slot.date) ? (
                  <>
                    <bdi>{slot.artistName}</bdi> is not there then
                  </>
                ) : (
                  'you closed this day'
                )}
                : <a href={undecidedPath}>decide</a>
              </p>
            )}
            <Facts booking={booking} timezone={timezone} />
          </div>
          <div class="acts">
            {!slot.isOver && (
              <a class="button quiet small" href={`${linkToBooking(booking.id)}/move`}>
                Move
                <Unseen>
                  {' '}
                  <bdi>{word}</bdi>
                </Unseen>
              </a>
            )}
            {booking.status === 'confirmed' && slot.hasBegun && (
              <NoShowForm booking={booking} isOnDay artist={artist} />
            )}
          </div>
        </>
      )}
      {blocks.length > 0 && (
        <ul class="blocks">
          {blocks.map((closure) => (
            <li key={closure.id}>
              <OpenableClosure closure={closure} date={slot.date} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** Why people cannot book a free slot; closures of the whole day and blocks are left out. */
function WhyNot({ slot, why }: { slot: StudioSlot; why: ExplainedSlot }): VNode | null {
  const { date, schedule } = slot;
  const { state, away, closures, busy, timezone } = why;
  const reasons: ComponentChildren[] = closures
    .filter(({ time_slot }) => time_slot !== null)
    .map((closure) => <OpenableClosure key={closure.id} closure={closure} date={date} />);
  for (const interval of busy) {
    reasons.push(
      <>
        <CalendarLabel of={interval} /> busy {busyWords(interval, { date, timezone })}
      </>,
    );
  }
  for (const artist of away) reasons.push(awayWords(artist, date, longDate));
  if (schedule === 'closed' && closures.length === 0) {
    reasons.push('A booking that was made in another time zone overlaps it');
  }
  if (schedule === 'open' && state in laterWords) {
    reasons.push(laterWords[state as keyof typeof laterWords]);
  }
  if (reasons.length === 0) return null;
  return (
    <ul class="muted">
      {reasons.map((reason, index) => (
        <li key={index}>{reason}</li>
      ))}
    </ul>
  );
}

/** The link to the closure, for who may remove it. `children`: more words of it. */
export function OpenAgain({
  closure,
  date,
  children,
}: {
  closure: ClosureRow;
  date: string;
  children?: ComponentChildren;
}): VNode | null {
  if (!useMayChange(closure.artist_id)) return null;
  return <a href={linkToClosure(closure.id, date)}>Open again{children}</a>;
}

/** The words for open slots that people cannot book at present. */
const laterWords = {
  too_soon: 'Too soon for people to book',
  too_far: 'Too far ahead for people to book',
};

function OpenableClosure({ closure, date }: { closure: ClosureRow; date: string }): VNode {
  return (
    <>
      <ClosedWords closure={closure} />. <OpenAgain closure={closure} date={date} />
    </>
  );
}

/**
 * `Closed: Guest spot in Seattle`, `Closed 1:00 – 3:00 PM: Dentist`. To an artist, a closure of everybody's
 * says no reason: only the owner reads it.
 */
export function ClosedWords({ closure }: { closure: ClosureRow }): VNode {
  const { from_time } = closure;
  const reason = useMayChange(closure.artist_id) ? closure.reason : '';
  return (
    <>
      Closed{from_time !== null && ` ${closurePart(closure)}`}
      {reason !== '' && ': '}
      {isolated(reason)}
    </>
  );
}

function Facts({ booking, timezone }: { booking: BookingRow; timezone: string }): VNode {
  const facts = [
    booking.status === 'pending' &&
      `held until ${timeOfDay(timezone, booking.expires_at.getTime())}`,
    booking.no_show_at !== null && 'did not come',
    booking.phone !== null && <PhoneLink phone={booking.phone} />,
    channelWords(booking),
  ].filter((fact) => fact !== false && fact !== '');
  return (
    <>
      <p class="muted">
        {facts.map((fact, index) => (
          <Fragment key={index}>
            {index > 0 && ' · '}
            {fact}
          </Fragment>
        ))}
      </p>
      {booking.studio_note !== null && (
        <p class="idea">
          Note: <bdi>{booking.studio_note}</bdi>
        </p>
      )}
      {booking.idea !== null && <p class="idea">{isolated(booking.idea)}</p>}
    </>
  );
}

export type SlotAppearance = 'booked' | 'held' | 'missed' | 'open' | 'closed' | 'over';

/** Watched calendars are the studio's or an artist's. */
function ownCalendar({ artistName }: StudioSlot): string {
  return artistName === null ? 'Your calendar' : 'A calendar';
}

/** The place in the day, from 1 on: equal sessions of several artists are in one row. */
function placeOf({ timeSlot }: StudioSlot): number {
  return timeSlots.indexOf(timeSlot) + 1;
}

export function isInConflict({ booking, isBusy, isOver }: StudioSlot): boolean {
  return booking?.status === 'confirmed' && isBusy && !isOver;
}

/** A slot's look and word: the person, or its state. */
export function slotWord({ booking, schedule, isOver }: StudioSlot): {
  state: SlotAppearance;
  word: string;
} {
  if (booking !== null) {
    const word = personName(booking);
    if (booking.status === 'pending') return { state: 'held', word };
    return { state: booking.no_show_at === null ? 'booked' : 'missed', word };
  }
  if (isOver) return { state: 'over', word: 'over' };
  if (schedule === 'open') return { state: 'open', word: 'open' };
  return { state: 'closed', word: scheduleWords[schedule] };
}
