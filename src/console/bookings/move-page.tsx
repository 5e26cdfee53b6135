import { Type } from '@sinclair/typebox';
import type { VNode } from 'preact';
import type { BookingRecord } from '../../domain/booking-record.js';
import type { StudioDay, StudioDays, StudioSlot } from '../../domain/studio-days.js';
import { slotKey } from '../../schedule/slots.js';
import { sessionLengthWords, sessionOf } from '../../schedule/words.js';
import { Field } from '../../web/field.js';
import { choice, form, text } from '../../web/forms.js';
import { linkToBooking, linkToMove } from '../links.js';
import { DayAndHours, longDay, shortDate } from '../moment.js';
import { Facts, FoldedForm, isolated, PostForm, Unseen } from '../parts.js';
import { seen, seenFields, SlotFields } from './fields.js';
import {
  BookingNow,
  onlyStudioWords,
  personName,
  scheduleWords,
  statusText,
  WhoIsMailed,
} from './words.js';

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
export function MovePage({ record, days, typed }: MovePageProps): VNode {
  const { booking } = record;
  const free = (isWanted: (slot: StudioSlot) => boolean) =>
    days.days
      .map((day) => ({ ...day, slots: day.slots.filter((slot) => isFree(slot) && isWanted(slot)) }))
      .filter(({ slots }) => slots.length > 0);
  const usual = free((slot) => unusualWord(slot) === '');
  const unusual = free((slot) => unusualWord(slot) !== '');
  return (
    <>
      <p>
        Now <BookingNow record={record} />
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
      {days.map(({ date, slots }) => (
        <li key={date} class="free-day">
          <p aria-hidden="true">{shortDate(date, date)}</p>
          <div class="acts">
            {slots.map((slot) => {
              const why = unusualWord(slot);
              return (
                <a
                  key={slot.timeSlot}
                  class={why === '' ? 'button quiet small' : 'button quiet small unusual'}
                  href={linkToMove(id, slot)}
                >
                  <Unseen>{longDay(date)} at </Unseen>
                  {slot.timeSlot}
                  {why !== '' && <span class="muted"> {why}</span>}
                </a>
              );
            })}
          </div>
        </li>
      ))}
    </ul>
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
      <Facts
        facts={[
          ['Who', isolated(personName(booking))],
          [
            'From',
            [
              <DayAndHours key="from" of={sessionOf(booking)} />,
              `, ${statusText(booking, status)}`,
            ],
          ],
          [
            'To',
            <strong key="to">
              <DayAndHours of={to} />
            </strong>,
          ],
        ]}
      />
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

/** Takes the studio’s own move back. */
export function UndoMove(props: { record: BookingRecord; to: StudioSlot; isOpen: boolean }): VNode {
  const { record, to, isOpen } = props;
  const { booking } = record;
  return (
    <FoldedForm
      label="Undo the move"
      isLarge
      isOpen={isOpen}
      action={`${linkToBooking(booking.id)}/move`}
      hidden={{ ...seenFields(booking), slot: slotKey(to), undo: 'yes' }}
    >
      <p>
        Back to <DayAndHours of={to} />, which is still free.
      </p>
      <OnlyStudio to={to} />
      <WhoIsMailed record={record} studioToo />
      <button>Undo the move</button>
    </FoldedForm>
  );
}
