import { Type } from '@sinclair/typebox';
import type { VNode } from 'preact';
import type { BookingRecord } from '../../domain/booking-record.js';
import type { StudioDay, StudioDays, StudioSlot } from '../../domain/studio-days.js';
import { slotKey } from '../../schedule/slots.js';
import { sessionLengthWords, sessionOf } from '../../schedule/words.js';
import { Field } from '../../web/field.js';
import { choice, form, text } from '../../web/forms.js';
import { PostForm } from '../form.js';
import { linkToBooking, linkToMove } from '../links.js';
import { longDay, shortDate } from '../moment.js';
import { DayAndHours } from '../session-hours.js';
import { WhoIsMailed } from './mailed.js';
import { seen, seenFields } from './seen.js';
import { SlotFields } from './slot-fields.js';
import { onlyStudioWords, personName, scheduleWords, statusText } from './words.js';

export function moveTitle({ booking }: BookingRecord): string {
  return `Move ${personName(booking)}`;
}

export const moveSchema = form({
  ...seen,
  slot: text,
  word: Type.Optional(text),
  undo: Type.Optional(choice('yes')),
});

export interface TypedSlot {
  date?: string | undefined;
  time_slot?: string | undefined;
}

export interface MovePageProps {
  record: BookingRecord;
  days: StudioDays;
  /** What a form that was refused had in it. */
  typed: TypedSlot;
}

/** The free slots of the coming days, each a link to the question, and a form for any other one. */
export function MovePage({ record: { booking, status }, days, typed }: MovePageProps): VNode {
  const free = (isWanted: (slot: StudioSlot) => boolean) =>
    days.days
      .map((day) => ({ ...day, slots: day.slots.filter((slot) => isFree(slot) && isWanted(slot)) }))
      .filter(({ slots }) => slots.length > 0);
  const usual = free((slot) => unusualWord(slot) === '');
  const unusual = free((slot) => unusualWord(slot) !== '');
  return (
    <>
      <p>
        Now{' '}
        <strong>
          <DayAndHours of={sessionOf(booking)} />
        </strong>
        , {statusText(booking, status)}. <a href={linkToBooking(booking.id)}>Back to the booking</a>
      </p>
      <h2>Free in the coming days</h2>
      <p class="muted">A session takes {sessionLengthWords}.</p>
      {usual.length === 0 && <p>Nothing is free: choose another date below.</p>}
      <FreeDays days={usual} id={booking.id} />
      {unusual.length > 0 && (
        <details>
          <summary class="button quiet">Times that only you can book…</summary>
          <p class="muted">Without a session, closed, busy in your calendar, or running now.</p>
          <FreeDays days={unusual} id={booking.id} />
        </details>
      )}
      <h2>Another date</h2>
      <form action={`${linkToBooking(booking.id)}/move`}>
        <SlotFields date={typed.date ?? ''} timeSlot={typed.time_slot ?? ''} />
        <button class="quiet">Choose</button>
      </form>
    </>
  );
}

function isFree({ booking, isOver }: StudioSlot): boolean {
  return booking === null && !isOver;
}

/** Why people could not take a slot; empty where they could. */
function unusualWord({ hasBegun, schedule }: StudioSlot): string {
  return hasBegun ? 'running' : scheduleWords[schedule];
}

function FreeDays({ days, id }: { days: readonly StudioDay[]; id: string }): VNode {
  return (
    <ul class="free-slots">
      {days.map((day) => (
        <FreeSlots key={day.date} day={day} id={id} />
      ))}
    </ul>
  );
}

function FreeSlots({ day, id }: { day: StudioDay; id: string }): VNode {
  const words = longDay(day.date);
  return (
    <li class="free-day">
      <p aria-hidden="true">{shortDate(day.date, day.date)}</p>
      <div class="acts">
        {day.slots.map((slot) => {
          const why = unusualWord(slot);
          return (
            <a
              key={slot.timeSlot}
              class={why === '' ? 'button quiet small' : 'button quiet small unusual'}
              href={linkToMove(id, slot)}
            >
              <span class="visually-hidden">{words} at </span>
              {slot.timeSlot}
              {why !== '' && <span class="muted"> {why}</span>}
            </a>
          );
        })}
      </div>
    </li>
  );
}

export interface AskMoveProps {
  record: BookingRecord;
  to: StudioSlot;
  /** The studio's words for the person, as they were typed. */
  word: string;
  wordMistake?: string | undefined;
}

/** Asks before a booking is moved: whom, from, to, and who is mailed. */
export function AskMove({ record, to, word, wordMistake }: AskMoveProps): VNode {
  const { booking, status } = record;
  const path = `${linkToBooking(booking.id)}/move`;
  return (
    <PostForm action={path} hidden={{ ...seenFields(booking), slot: slotKey(to) }}>
      <dl class="facts">
        <div>
          <dt>Who</dt>
          <dd>
            <bdi>{personName(booking)}</bdi>
          </dd>
        </div>
        <div>
          <dt>From</dt>
          <dd>
            <DayAndHours of={sessionOf(booking)} />, {statusText(booking, status)}
          </dd>
        </div>
        <div>
          <dt>To</dt>
          <dd>
            <strong>
              <DayAndHours of={to} />
            </strong>
          </dd>
        </div>
      </dl>
      <OnlyStudio to={to} />
      <WhoIsMailed record={record} studioToo />
      <Field
        name="word"
        label="A line for them"
        hint="Shown on their page, and in the mail if they get one. Anybody who has the link can read it."
        optional
        rows={2}
        value={word}
        mistake={wordMistake}
      />
      <div class="acts">
        <button>Move to this time</button>
        <a class="button quiet" href={path}>
          Choose another time
        </a>
      </div>
    </PostForm>
  );
}

/** Why people could not choose a time that the studio can. */
function OnlyStudio({ to }: { to: StudioSlot }): VNode | null {
  const only = to.hasBegun ? 'This session is running already.' : onlyStudioWords[to.schedule];
  return only === '' ? null : <p class="warned">{only}</p>;
}

/** Takes the studio's own move back. */
export function UndoMove(props: { record: BookingRecord; to: StudioSlot; isOpen: boolean }): VNode {
  const { record, to, isOpen } = props;
  const { booking } = record;
  const hidden = { ...seenFields(booking), slot: slotKey(to), undo: 'yes' };
  return (
    <details open={isOpen}>
      <summary class="button quiet">Undo the move…</summary>
      <PostForm action={`${linkToBooking(booking.id)}/move`} hidden={hidden}>
        <p>
          Back to <DayAndHours of={to} />, which is still free.
        </p>
        <OnlyStudio to={to} />
        <WhoIsMailed record={record} studioToo />
        <button>Undo the move</button>
      </PostForm>
    </details>
  );
}
