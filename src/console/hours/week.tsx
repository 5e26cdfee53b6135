import type { ComponentChildren, VNode } from 'preact';
import type { TimeSlot } from '../../../generated/schemas.js';
import type { DayRow } from '../../database/rows/results.js';
import type { WeekDrift } from '../../domain/studio/own-weeks.js';
import type { IsAlsoTheirs } from '../../domain/studio/week.js';
import { weekdayName } from '../../schedule/dates.js';
import { timeSlots } from '../../schedule/slots.js';
import { unbroken } from '../../schedule/words.js';
import { PostForm } from '../parts.js';
import {
  type FormDay,
  isOff,
  isOvertaken,
  shownText,
  storedDay,
  type TypedDay,
} from './week-fields.js';

export interface WeekFormProps {
  action: string;
  hidden?: Record<string, string>;
  /** The days as they are. */
  days: readonly FormDay[];
  /** What a day is like whose box leaves it to another week: `as the studio`. Omitted: no such box. */
  usual?: string;
  /** What a day without sessions is like: `closed`, `not here`. */
  off: string;
  /** The days of the form that was refused. */
  typed?: readonly TypedDay[] | null | undefined;
  /** The sessions at which the studio is closed: saving again agrees to them. */
  closed?: string | undefined;
  /** The artists about whose own weeks the form asks. */
  drifts?: readonly WeekDrift[] | undefined;
  isAlsoTheirs?: IsAlsoTheirs | undefined;
  /** What stands before the days. */
  children?: ComponentChildren;
  buttons: ComponentChildren;
}

/** The days of a week: the studio's or an artist's, of every week or of dates. */
export function WeekForm(props: WeekFormProps): VNode {
  const { action, hidden, days, typed, drifts = [], isAlsoTheirs, closed = '' } = props;
  return (
    <PostForm action={action} class="week-form" hidden={{ ...hidden, agreed: closed }}>
      {drifts.map((drift) => (
        <div key={drift.artist.id}>
          <input type="hidden" name="asked" value={drift.sentence} />
          <label class="tick">
            <input
              type="checkbox"
              name="also"
              value={drift.sentence}
              checked={isAlsoTheirs?.(drift) === true}
            />
            {unbroken(drift.sentence)} Change their week, too.
          </label>
        </div>
      ))}
      {props.children}
      <ol>
        {days.map((day) => {
          const own = typed?.find(
            ({ weekday, isChanged, mistake }) =>
              weekday === day.weekday && (isChanged || mistake !== null),
          );
          return (
            <li key={day.weekday}>
              <DayFields {...props} day={day} own={own ?? null} />
            </li>
          );
        })}
      </ol>
      {closed !== '' && (
        <p class="mistake">
          The studio is closed on {unbroken(closed)}. Saving again lets people book them then.
        </p>
      )}
      {props.buttons}
    </PostForm>
  );
}

interface DayFieldsProps extends Pick<WeekFormProps, 'usual' | 'off'> {
  day: FormDay;
  /** As it was typed, if that differs or is wrong, and was refused. */
  own: TypedDay | null;
}

function DayFields({ day, own, usual, off }: DayFieldsProps): VNode {
  const { weekday, opens, closes, sessions, isUsual } = own ?? day;
  const name = weekdayName(weekday);
  const [nameId, noteId] = [`day-${weekday}`, `note-${weekday}`];
  const mistake = own?.mistake ?? null;
  const words = day.isUsual ? (usual ?? '') : dayWords(storedDay(day), off);
  const notes = [
    mistake,
    own !== null &&
      isOvertaken(own, day) &&
      `Changed meanwhile to: ${words}. Saving again replaces that.`,
  ].filter(Boolean);
  const time = (which: 'opens' | 'closes', value: string) => (
    <label>
      <span class="visually-hidden">
        {name} {which}
      </span>
      <input
        type="time"
        name={`${which}-${weekday}`}
        value={value}
        aria-describedby={notes.length === 0 ? undefined : noteId}
        aria-invalid={mistake === null ? undefined : 'true'}
      />
    </label>
  );
  const box = (field: string, label: string, checked: boolean) => (
    <label class="tick">
      <input type="checkbox" name={`${field}-${weekday}`} checked={checked} />
      {label}
    </label>
  );
  return (
    // WebKit makes no grid cell of a legend.
    <div role="group" aria-labelledby={nameId} class="week-day">
      <p class="day-name" id={nameId}>
        {name}
      </p>
      <input type="hidden" name={`shown-${weekday}`} value={shownText(day)} />
      <div class="times">
        {time('opens', opens)}
        <span aria-hidden="true">–</span>
        {time('closes', closes)}
      </div>
      <SessionTicks name={`sessions-${weekday}`} chosen={sessions} />
      <div class="shut">
        {usual !== undefined && box('usual', usual, isUsual)}
        {box('off', off, isOff(own ?? day))}
      </div>
      {notes.length > 0 && (
        <div class="note" id={noteId}>
          {notes.map((note) => (
            <p key={note} class="mistake">
              {note}
            </p>
          ))}
        </div>
      )}
    </div>
  );
}

/** A box for each session of a day. */
export function SessionTicks(props: { name: string; chosen: readonly TimeSlot[] }): VNode {
  return (
    <div class="ticks">
      {timeSlots.map((slot) => (
        <label key={slot} class="tick">
          <input
            type="checkbox"
            name={props.name}
            value={slot}
            checked={props.chosen.includes(slot)}
          />
          {slot}
        </label>
      ))}
    </div>
  );
}

/**
 * `09:00 to 20:00, sessions at 9:00 AM and 1:00 PM`; without hours, `sessions at 9:00 AM`, or `off`
 * without sessions.
 */
export function dayWords({ opens, closes, sessions }: DayRow, off: string): string {
  const list = new Intl.ListFormat('en-US').format(sessions);
  if (opens === null || closes === null) return list === '' ? off : `sessions at ${list}`;
  return `${opens} to ${closes}, ${list === '' ? 'no sessions' : `sessions at ${list}`}`;
}
