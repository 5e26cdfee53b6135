import { type Static, type TSchema, Type } from '@sinclair/typebox';
import type { VNode } from 'preact';
import type { TimeSlot } from '../../../generated/schemas.js';
import type { DayRow } from '../../database/rows/results.js';
import type { WeekDrift } from '../../domain/studio/own-weeks.js';
import {
  findDayProblem,
  type IsAlsoTheirs,
  isSameDay,
  type WeekChange,
} from '../../domain/studio/week.js';
import { weekdayName } from '../../schedule/dates.js';
import { endOfDay, timeSlots } from '../../schedule/slots.js';
import { unbroken } from '../../schedule/words.js';
import { form, text } from '../../web/forms.js';
import { hoursPath } from '../links.js';
import { PostForm } from '../parts.js';

export interface WeekFormProps {
  week: readonly DayRow[];
  /** The form that was refused; null for a new one. */
  posted: readonly PostedDay[] | null;
  /** Sentences about mistakes, by weekday. */
  mistakes: ReadonlyMap<number, string>;
  /** The artists about whose own weeks the form asks, with sentences. */
  drifts?: readonly WeekDrift[] | undefined;
  isAlsoTheirs?: IsAlsoTheirs | undefined;
}

/** The week: hours and sessions of each day, in one form. */
export function WeekForm({ week, posted, mistakes, drifts, isAlsoTheirs }: WeekFormProps): VNode {
  return (
    <PostForm action={hoursPath} class="week-form">
      <DriftQuestions drifts={drifts} isAlsoTheirs={isAlsoTheirs} />
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

/** Asks for each artist whose own days do not fit whether they change, too. */
export function DriftQuestions({
  drifts = [],
  isAlsoTheirs,
}: Pick<WeekFormProps, 'drifts' | 'isAlsoTheirs'>): VNode {
  return (
    <>
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
    </>
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
  const nameId = `day-${weekday}`;
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
      {/* WebKit makes no grid cell of a legend. */}
      <div
        role="group"
        aria-labelledby={nameId}
        class={typed.isClosed ? 'week-day closed' : 'week-day'}
      >
        <p class="day-name" id={nameId}>
          {name}
        </p>
        <input type="hidden" name={`seen-${weekday}`} value={daySeen(day)} />
        <div class="times">
          {time('opens')}
          <span aria-hidden="true">–</span>
          {time('closes')}
        </div>
        <SessionTicks name={`sessions-${weekday}`} chosen={typed.sessions} />
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
      </div>
    </li>
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

/** The schema of its field: none, one or several. */
export const ticks = Type.Optional(Type.Union([text, Type.Array(text)]));

/** `09:00 to 20:00, sessions at 9:00 AM and 1:00 PM`. */
export function dayWords({ opens, closes, sessions }: Omit<DayRow, 'weekday'>): string {
  if (opens === null || closes === null) return 'closed';
  const list = new Intl.ListFormat('en-US').format(sessions);
  return `${opens} to ${closes}, ${list === '' ? 'no sessions' : `sessions at ${list}`}`;
}

/** A day of the form, as it was typed. */
export interface TypedDay {
  weekday: number;
  opens: string;
  closes: string;
  sessions: TimeSlot[];
  isClosed: boolean;
}

export interface PostedDay {
  /** The day as the page showed it. */
  seen: DayRow;
  typed: TypedDay;
  isChanged: boolean;
}

function typedDay({ weekday, opens, closes, sessions }: DayRow): TypedDay {
  const isClosed = opens === null || closes === null;
  // A field for a time has no 24:00.
  const typed = closes === endOfDay ? '00:00' : (closes ?? '');
  return { weekday, opens: opens ?? '', closes: typed, sessions, isClosed };
}

/** The value of the hidden field of a day. */
function daySeen({ opens, closes, sessions }: DayRow): string {
  return [opens ?? '', closes ?? '', sessions.join()].join('|');
}

export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;
type Weekday = (typeof weekdays)[number];

/** A field of each day. */
export function daily<Name extends string, Schema extends TSchema>(name: Name, schema: Schema) {
  const fields = weekdays.map((weekday) => [`${name}-${weekday}`, schema]);
  return Object.fromEntries(fields) as Record<`${Name}-${Weekday}`, Schema>;
}

/** The fields of `DriftQuestions`. */
export const driftFields = { asked: ticks, also: ticks };

export const weekSchema = form({
  ...daily('seen', text),
  ...daily('opens', text),
  ...daily('closes', text),
  ...daily('sessions', ticks),
  ...daily('closed', Type.Optional(text)),
  ...driftFields,
});
type PostedWeek = Static<typeof weekSchema.body>;

/** The artists whose own weeks change, too: an answer counts only for the sentence that was shown. */
export function readFollowers({ asked, also }: Pick<PostedWeek, 'asked' | 'also'>): IsAlsoTheirs {
  const [shown, ticked] = [[asked].flat(), [also].flat()];
  return ({ sentence }) => (shown.includes(sentence) ? ticked.includes(sentence) : null);
}

export function readWeekForm(posted: PostedWeek): PostedDay[] {
  return weekdays.map((weekday) => readDay(posted, weekday));
}

function readDay(posted: PostedWeek, weekday: Weekday): PostedDay {
  const [seenOpens, seenCloses, seenSessions = ''] = posted[`seen-${weekday}`].split('|');
  const seen = {
    weekday,
    opens: seenOpens || null,
    closes: seenCloses || null,
    sessions: knownSessions(seenSessions.split(',')),
  };
  const typed = {
    weekday,
    opens: posted[`opens-${weekday}`].trim(),
    closes: posted[`closes-${weekday}`].trim(),
    sessions: knownSessions([posted[`sessions-${weekday}`]].flat()),
    isClosed: posted[`closed-${weekday}`] !== undefined,
  };
  return { seen, typed, isChanged: !isSameTyped(typed, typedDay(seen)) };
}

/** The sessions among the texts, in the order of the day. */
export function knownSessions(texts: readonly unknown[]): TimeSlot[] {
  return timeSlots.filter((slot) => texts.includes(slot));
}

function isSameTyped(one: TypedDay, other: TypedDay): boolean {
  return one.isClosed === other.isClosed && isSameDay(one, other);
}

/** The change of a day, or a sentence about its mistake. */
export function readChange({ seen, typed }: PostedDay): WeekChange | string {
  const { weekday, opens, closes, sessions, isClosed } = typed;
  const common = { weekdays: [weekday], seen: [seen] };
  if (isClosed) {
    // The form of an open day still sends its hours when "closed" is ticked.
    const wasClosed = seen.opens === null;
    const isFilled = opens !== '' || closes !== '' || sessions.length > 0;
    return wasClosed && isFilled
      ? 'Untick “closed” to open on this day, or clear its hours and sessions.'
      : { ...common, hours: null };
  }
  if (!isTime(opens) || !isTime(closes)) {
    return 'Give both times, such as 09:00 and 17:30, or tick “closed”.';
  }
  const hours = { opens, closes: closes === '00:00' ? endOfDay : closes };
  const found = findDayProblem({ weekday, ...hours, sessions });
  return found === null ? { ...common, hours, sessions } : found.problem;
}

export function isTime(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text);
}
