import type { Static } from '@sinclair/typebox';
import type { VNode } from 'preact';
import type { OpenedDay, OpeningMistakes } from '../../domain/openings.js';
import type { DaySessions } from '../../repositories/openings.js';
import { unbroken } from '../../schedule/words.js';
import { Field } from '../../web/field.js';
import { calendarDate, form, text } from '../../web/forms.js';
import { scheduleWords } from '../bookings/words.js';
import { PostForm } from '../form.js';
import { hoursPath, newOpeningPath, openingsPath } from '../links.js';
import { longDate } from '../moment.js';
import { knownSessions, SessionTicks, ticks } from './week.js';

/** The days that are opened outside the week. */
export function OpeningList({ openings }: { openings: readonly OpenedDay[] }): VNode {
  if (openings.length === 0) return <p class="muted">None from today on.</p>;
  return (
    <ul class="closures">
      {openings.map((day) => (
        <li key={day.date}>
          <p>
            {longDate(day.date)}
            <span class="muted"> · {unbroken(day.sessions.map(sessionWords).join(', '))}</span>
          </p>
          <RemoveOpening day={day} />
        </li>
      ))}
    </ul>
  );
}

/** `1:00 PM`, `1:00 PM (closed)`. */
function sessionWords({ timeSlot, schedule }: OpenedDay['sessions'][number]): string {
  const words = scheduleWords[schedule];
  return words === '' ? timeSlot : `${timeSlot} (${words})`;
}

function RemoveOpening({ day: { date, sessions } }: { day: OpenedDay }): VNode {
  const shown = sessions.map(({ timeSlot }) => timeSlot).join();
  return (
    <details>
      <summary class="button quiet small">
        Close again<span class="visually-hidden"> {longDate(date)}</span>…
      </summary>
      <PostForm action={`${openingsPath}/remove`} hidden={{ date, sessions: shown }}>
        <p>People can no longer book these sessions. Bookings that exist stay.</p>
        <button class="small">Remove the opening</button>
      </PostForm>
    </details>
  );
}

export const removedSchema = form({ date: calendarDate, sessions: text });

export interface NewOpeningPageProps {
  typed: DaySessions;
  mistakes: OpeningMistakes;
}

/** The form that opens sessions of one date. */
export function NewOpeningPage({ typed, mistakes }: NewOpeningPageProps): VNode {
  return (
    <PostForm action={newOpeningPath} class="closure-form">
      <Field name="date" label="Date" type="date" value={typed.date} mistake={mistakes.date} />
      <fieldset aria-describedby={mistakes.sessions === undefined ? undefined : 'sessions-mistake'}>
        <legend>Sessions</legend>
        {mistakes.sessions !== undefined && (
          <p class="mistake" id="sessions-mistake">
            {mistakes.sessions}
          </p>
        )}
        <SessionTicks name="sessions" chosen={typed.sessions} />
      </fieldset>
      <p class="muted">Only this date; the week stays as it is. A closure closes it, too.</p>
      <div class="acts">
        <button>Open</button>
        <a class="button quiet" href={hoursPath}>
          Back
        </a>
      </div>
    </PostForm>
  );
}

export const openingSchema = form({ date: text, sessions: ticks });

export function readOpeningForm({
  date,
  sessions,
}: Static<typeof openingSchema.body>): DaySessions {
  return { date, sessions: knownSessions([sessions].flat()) };
}
