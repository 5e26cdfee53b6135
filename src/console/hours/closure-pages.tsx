import { type Static, Type } from '@sinclair/typebox';
import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { TimeSlot } from '../../../generated/schemas.js';
import type { NewClosure } from '../../database/rows/results.js';
import {
  type ClosureRecord,
  findClosureMistakes,
  isUndecided,
  maxClosureReasonLength,
} from '../../domain/studio/closures.js';
import { noSuchDate } from '../../domain/studio/words.js';
import type { Artist } from '../../schedule/artists.js';
import { isCalendarDate } from '../../schedule/dates.js';
import { timeSlots } from '../../schedule/slots.js';
import { Field } from '../../web/field.js';
import { choice, text } from '../../web/forms.js';
import { Whose, WhoseField } from '../artist-choice.js';
import { closedDayWords } from '../bookings/words.js';
import { home, hoursPath, newClosurePath, undecidedPath } from '../links.js';
import { PageContext } from '../moment.js';
import { Facts, isolated } from '../parts.js';
import { HoursFields, LongerSpans, readHours, type TypedHours } from './block-fields.js';
import { BookingLines, closureDates, closurePart, RemoveClosure } from './closure-parts.js';
import { type Answers, asking } from './decision-fields.js';
import { type Question, QuestionForm } from './question.js';

export interface NewClosurePageProps {
  typed: TypedClosure;
  answers: Answers;
  mistakes: FormMistakes;
  /** Null before there are dates. */
  question: Question | null;
}

/** The form that closes dates, and decides about the bookings on them. */
export function NewClosurePage(props: NewClosurePageProps): VNode {
  const { typed, answers, mistakes, question } = props;
  const { own } = useContext(PageContext);
  const there = typed.fromTime === '' ? 'on these dates' : 'in these hours';
  return (
    <QuestionForm
      action={newClosurePath}
      hidden={typed.isSick ? { job: 'sick' } : {}}
      answers={answers}
      question={question}
      there={there}
      buttons={
        <>
          <button>{typed.isSick ? 'Close and do this' : 'Close'}</button>
          <LongerSpans typed={typed} />
        </>
      }
      back={own === null ? hoursPath : home}
    >
      <div class="pair">
        <Field
          name="from"
          label="First date"
          type="date"
          value={typed.from}
          mistake={mistakes.from}
        />
        <Field name="to" label="Last date" type="date" value={typed.to} mistake={mistakes.to} />
      </div>
      <WhoseField label="Whose sessions" chosen={typed.artist?.slug} />
      <div class="field">
        <label for="time_slot">What is closed</label>
        <select id="time_slot" name="time_slot">
          <option value="">The whole day</option>
          {timeSlots.map((slot) => (
            <option key={slot} value={slot} selected={slot === typed.timeSlot}>
              Only {slot}
            </option>
          ))}
        </select>
      </div>
      <HoursFields typed={typed} mistake={mistakes.hours} />
      <div class="acts">
        <button class="quiet" name="look" value="yes">
          Show the bookings {there}
        </button>
      </div>
      <Field
        name="reason"
        label="Reason"
        hint={`Only the studio reads it. At most ${maxClosureReasonLength} characters.`}
        optional
        value={typed.reason}
        mistake={mistakes.reason}
      />
    </QuestionForm>
  );
}

/** A closure, with the bookings that are still there, and those that were moved or cancelled. */
export function ClosurePage({ record, day }: { record: ClosureRecord; day?: string }): VNode {
  const { closure, met, gone } = record;
  const { own } = useContext(PageContext);
  return (
    <>
      <Facts
        facts={[
          [
            'When',
            <>
              {closureDates(closure)}, {closurePart(closure)}
              <Whose artistId={closure.artist_id} before=" · " />
            </>,
          ],
          ['Reason', isolated(closure.reason)],
        ]}
      />
      {met.length > 0 && (
        <>
          <h2>Still booked on these dates</h2>
          <BookingLines bookings={met} note={closedDayWords} />
          {met.some(isUndecided) && (
            <p>
              <a class="button" href={undecidedPath}>
                Decide
              </a>
            </p>
          )}
        </>
      )}
      {gone.length > 0 && (
        <>
          <h2>Moved or cancelled with the closure</h2>
          <BookingLines bookings={gone} note={() => 'moved to this time'} />
        </>
      )}
      {met.length + gone.length === 0 && <p class="muted">No bookings are on these dates.</p>}
      <RemoveClosure closure={closure} {...(day !== undefined && { day })} />
      {own === null && (
        <p>
          <a href={hoursPath}>All hours and closures</a>
        </p>
      )}
    </>
  );
}

/** The form as it was typed. */
export interface TypedClosure extends TypedHours {
  from: string;
  to: string;
  /** Empty: the whole day. */
  timeSlot: TimeSlot | '';
  /** Null: everybody. */
  artist: Artist | null;
  reason: string;
  /** Whether the studio cannot work: the default is then to ask people for another time. */
  isSick: boolean;
}

export type FormMistakes = Partial<Record<'from' | 'to' | 'hours' | 'reason', string | undefined>>;

export const closureSchema = asking({
  from: text,
  to: text,
  /** Empty: the whole day. */
  time_slot: choice('', ...timeSlots),
  from_time: Type.Optional(text),
  to_time: Type.Optional(text),
  /** Of a button that closes other hours than the fields have. */
  span: Type.Optional(Type.String({ pattern: '^\\d{2}:\\d{2}-\\d{2}:\\d{2}$' })),
  artist: Type.Optional(text),
  reason: text,
  job: Type.Optional(choice('sick')),
  /** Of the button that only shows the bookings. */
  look: Type.Optional(text),
});

export function readClosureForm(
  posted: Static<typeof closureSchema.body>,
  artist: Artist | null,
): TypedClosure {
  const { from, to, time_slot: timeSlot, span, from_time, to_time, reason, job } = posted;
  const [fromTime = '', toTime = ''] = span?.split('-') ?? [from_time, to_time];
  const hours = { fromTime, toTime, isPressed: false };
  return { ...hours, from, to, timeSlot, artist, reason: reason.trim(), isSick: job === 'sick' };
}

/** The dates and hours, or their mistakes. An empty last date is the first. */
export function closureOf(typed: TypedClosure): NewClosure | FormMistakes {
  const { from, to, timeSlot, artist, reason } = typed;
  const hours = readHours(typed);
  const dates = { fromDate: from, toDate: to || from };
  const what = { timeSlot: timeSlot || null, hours: hours ?? null, artistId: artist?.id ?? null };
  const closure = { ...dates, ...what, reason };
  const found = findClosureMistakes(closure);
  const isDate = to === '' || isCalendarDate(to);
  const mistakes = {
    from: isCalendarDate(from) ? undefined : noSuchDate,
    to: isDate ? found.toDate : 'Give a date that exists, or none.',
    hours: hours === undefined ? 'Give both times, or none.' : found.hours,
  };
  return Object.values(mistakes).some((each) => each !== undefined) ? mistakes : closure;
}
