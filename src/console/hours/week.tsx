import type { VNode } from 'preact';
import { weekdayName } from '../../schedule/dates.js';
import { timeSlots } from '../../schedule/slots.js';
import { isSameDay } from '../../domain/week.js';
import type { DayRow } from '../../repositories/studio-settings.js';
import { PostForm } from '../form.js';
import { hoursPath } from '../links.js';
import { daySeen, typedDay, type PostedDay } from './routes.js';

export interface WeekFormProps {
  week: readonly DayRow[];
  /** The form that was refused; null for a new one. */
  posted: readonly PostedDay[] | null;
  /** Sentences for what is wrong with days, by weekday. */
  mistakes: ReadonlyMap<number, string>;
}

/** The week: hours and sessions of each day, in one form. */
export function WeekForm({ week, posted, mistakes }: WeekFormProps): VNode {
  return (
    <PostForm action={hoursPath} class="week-form">
      <ol>
        {week.map((day) => (
          <DayFields
            key={day.weekday}
            day={day}
            posted={posted?.find(({ seen }) => seen.weekday === day.weekday) ?? null}
            mistake={mistakes.get(day.weekday)}
          />
        ))}
      </ol>
      <button>Save the week</button>
    </PostForm>
  );
}

interface DayFieldsProps {
  day: DayRow;
  posted: PostedDay | null;
  mistake: string | undefined;
}

function DayFields({ day, posted, mistake }: DayFieldsProps): VNode {
  const { weekday } = day;
  const name = weekdayName(weekday);
  const typed = posted?.isChanged === true ? posted.typed : typedDay(day);
  const isOvertaken = posted?.isChanged === true && !isSameDay(posted.seen, day);
  const noteId = `note-${weekday}`;
  const time = (which: 'opens' | 'closes') => (
    <label>
      <span class="visually-hidden">
        {name} {which}
      </span>
      <input
        type="time"
        name={`${which}-${weekday}`}
        value={typed[which]}
        aria-describedby={mistake !== undefined || isOvertaken ? noteId : undefined}
        aria-invalid={mistake === undefined ? undefined : 'true'}
      />
    </label>
  );
  return (
    <li>
      <fieldset class={typed.isClosed ? 'week-day closed' : 'week-day'}>
        <legend>{name}</legend>
        <input type="hidden" name={`seen-${weekday}`} value={daySeen(day)} />
        <div class="times">
          {time('opens')}
          <span aria-hidden="true">–</span>
          {time('closes')}
        </div>
        <div class="ticks">
          {timeSlots.map((slot) => (
            <label key={slot} class="tick">
              <input
                type="checkbox"
                name={`sessions-${weekday}`}
                value={slot}
                checked={typed.sessions.includes(slot)}
              />
              {slot}
            </label>
          ))}
        </div>
        <label class="tick shut">
          <input type="checkbox" name={`closed-${weekday}`} checked={typed.isClosed} />
          closed
        </label>
        {(mistake !== undefined || isOvertaken) && (
          <div class="note" id={noteId}>
            {mistake !== undefined && <p class="mistake">{mistake}</p>}
            {isOvertaken && (
              <p class="mistake">
                Changed meanwhile to: {dayWords(day)}. Saving again replaces that.
              </p>
            )}
          </div>
        )}
      </fieldset>
    </li>
  );
}

/** `09:00 to 20:00, sessions at 9:00 AM and 1:00 PM`. */
function dayWords({ opens, closes, sessions }: DayRow): string {
  if (opens === null || closes === null) return 'closed';
  const list = new Intl.ListFormat('en-US').format(sessions);
  return `${opens} to ${closes}, ${list === '' ? 'no sessions' : `sessions at ${list}`}`;
}
