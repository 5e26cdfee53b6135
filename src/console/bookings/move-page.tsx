import { Type } from '@sinclair/typebox';
import type { VNode } from 'preact';
import type { BookingRecord } from '../../domain/booking-record.js';
import type { StudioDay, StudioDays, StudioSlot } from '../../domain/studio-days.js';
import { slotKey } from '../../schedule/slots.js';
import { dateWords, sessionLengthWords, sessionOf } from '../../schedule/words.js';
import { form, text } from '../../web/forms.js';
import { PostForm } from '../form.js';
import { linkToBooking } from '../links.js';
import { longDay } from '../moment.js';
import { DayAndHours } from '../session-hours.js';
import { seen, seenFields } from './seen.js';
import { SlotFields } from './slot-fields.js';
import { personName, scheduleWords, statusText } from './words.js';

export function moveTitle({ booking }: BookingRecord): string {
  return `Move ${personName(booking)}`;
}

export const moveSchema = form({
  ...seen,
  /** Of the button of a free slot; any other one is typed. */
  slot: Type.Optional(text),
  date: Type.Optional(text),
  time_slot: Type.Optional(text),
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

/** The free slots of the coming days, each a button, and a form for any other one. */
export function MovePage({ record: { booking, status }, days, typed }: MovePageProps): VNode {
  const path = linkToBooking(booking.id);
  const withFreeSlots = days.days
    .map((day) => ({ ...day, slots: day.slots.filter(isFree) }))
    .filter(({ slots }) => slots.length > 0);
  return (
    <>
      <p>
        Now{' '}
        <strong>
          <DayAndHours of={sessionOf(booking)} />
        </strong>
        , {statusText(booking, status)}. <a href={path}>Back to the booking</a>
      </p>
      <h2>Free in the coming days</h2>
      <p class="muted">
        Press a session to move there: it takes {sessionLengthWords}. The one that it has now
        becomes free at once.
      </p>
      {withFreeSlots.length === 0 && <p>Nothing is free: choose another date below.</p>}
      <PostForm action={`${path}/move`} hidden={seenFields(booking)} class="free-slots">
        {withFreeSlots.map((day) => (
          <FreeSlots key={day.date} day={day} />
        ))}
      </PostForm>
      <h2>Another date</h2>
      <PostForm action={`${path}/move`} hidden={seenFields(booking)}>
        <SlotFields date={typed.date ?? ''} timeSlot={typed.time_slot ?? ''} />
        <button>Move</button>
      </PostForm>
    </>
  );
}

function isFree({ booking, isOver }: StudioSlot): boolean {
  return booking === null && !isOver;
}

function FreeSlots({ day }: { day: StudioDay }): VNode {
  const { weekday, month, day: number } = dateWords(day.date);
  const words = longDay(day.date);
  return (
    <div class="free-day" role="group" aria-label={words}>
      <p>
        {weekday.slice(0, 3)} {month.slice(0, 3)} {number}
      </p>
      <div class="acts">
        {day.slots.map((slot) => {
          const why = slot.hasBegun ? 'running' : scheduleWords[slot.schedule];
          return (
            <button
              key={slot.timeSlot}
              class={why === '' ? 'quiet small' : 'quiet small unusual'}
              name="slot"
              value={slotKey(slot)}
            >
              <span class="visually-hidden">{words} at </span>
              {slot.timeSlot}
              {why !== '' && <span class="muted"> {why}</span>}
            </button>
          );
        })}
      </div>
    </div>
  );
}
