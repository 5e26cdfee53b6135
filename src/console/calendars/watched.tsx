import { type Static, Type } from '@sinclair/typebox';
import type { VNode } from 'preact';
import { checkCalendarLabel } from '../../domain/studio/calendar-feeds.js';
import {
  maxWatchedCalendars,
  type NewWatch,
  type WatchedCalendar,
} from '../../domain/studio/watched-calendars.js';
import { calendarProblems } from '../../icalendar/calendar-reader.js';
import { Field } from '../../web/field.js';
import { choice, form, text } from '../../web/forms.js';
import { Whose, WhoseField } from '../artist-choice.js';
import { watchedPath } from '../links.js';
import { Moment } from '../moment.js';
import { FoldedForm, PostForm, Unseen } from '../parts.js';
import { busyCountWords } from './words.js';

export interface WatchedProps {
  calendars: readonly WatchedCalendar[];
  /** The form that was refused; null for a new one. */
  refused: RefusedWatch | null;
}

/** The calendars elsewhere that close sessions while they are busy, and the form that adds one. */
export function Watched({ calendars, refused }: WatchedProps): VNode {
  return (
    <section aria-labelledby="watched">
      <h2 id="watched">Watched calendars</h2>
      <p class="muted">
        While one of them is busy, people cannot book. They are read every 10 minutes; only the busy
        times are kept, not what the events say.
      </p>
      {calendars.length === 0 ? (
        <WatchForm refused={refused} />
      ) : (
        <>
          <ul class="rows watched">
            {calendars.map((calendar) => (
              <WatchedRow key={calendar.id} calendar={calendar} />
            ))}
          </ul>
          {calendars.length < maxWatchedCalendars || refused !== null ? (
            <details open={refused !== null}>
              <summary class="button quiet small">Watch a calendar…</summary>
              <WatchForm refused={refused} />
            </details>
          ) : (
            <p class="muted">There can be {maxWatchedCalendars} of them at most.</p>
          )}
        </>
      )}
    </section>
  );
}

function WatchedRow({ calendar }: { calendar: WatchedCalendar }): VNode {
  const { id, label, host, artist_id, read_at, failing_since, last_error, unreadable } = calendar;
  const problems = calendarProblems(calendar);
  return (
    <li>
      <div>
        <p>
          <bdi class="named">{label}</bdi>
          <Whose artistId={artist_id} before=" · " />
        </p>
        {label !== host && <p class="fine">{host}</p>}
      </div>
      <div>
        {last_error !== null && (
          <p class="state failing">
            Failing since <Moment at={failing_since} />
          </p>
        )}
        {last_error === null && unreadable !== null && <p class="state failing">Read in part</p>}
        {problems.map((problem) => (
          <p key={problem}>{problem}</p>
        ))}
        {read_at !== null && (
          <p class={problems.length === 0 ? undefined : 'fine'}>
            Read <Moment at={read_at} />, {busyCountWords(calendar)}
          </p>
        )}
      </div>
      <div class="acts">
        <PostForm action={`${watchedPath}/${id}/read`} class="inline">
          <button class="quiet small">
            Read it now<Unseen>: {label}</Unseen>
          </button>
        </PostForm>
        <FoldedForm label="Stop watching" of={label} action={`${watchedPath}/${id}/remove`}>
          <p>Sessions that only this calendar closes can be booked again.</p>
          <button class="small">
            Stop watching<Unseen> {label}</Unseen>
          </button>
        </FoldedForm>
      </div>
    </li>
  );
}

function WatchForm({ refused }: { refused: RefusedWatch | null }): VNode {
  return (
    <PostForm action={watchedPath} class="calendar-form">
      <Field
        name="address"
        id="watch-address"
        label="Address"
        type="url"
        hint="The secret address of the calendar as iCal (ICS), as its program shows it: it begins with https:// or webcal://. It is stored encrypted, and never shown again."
        required
        value={refused?.typed.address ?? ''}
        mistake={refused?.mistakes.address}
      />
      <Field
        name="label"
        id="watch-label"
        label="Label"
        hint="What the calendar is called here."
        optional
        value={refused?.typed.label ?? ''}
        mistake={refused?.mistakes.label}
      />
      <WhoseField
        id="watch-artist"
        label="Whose sessions it closes"
        chosen={refused?.typed.artist}
      />
      {refused?.isUnreadable === true && (
        <label class="tick">
          <input type="checkbox" name="anyway" value="yes" />
          Watch it anyway: it closes nothing until it can be read
        </label>
      )}
      <button>Watch this calendar</button>
    </PostForm>
  );
}

/** The address is a secret: only the response to the form that it came with shows it. */
export const watchSchema = form({
  address: text,
  label: text,
  artist: Type.Optional(text),
  anyway: Type.Optional(choice('yes')),
});
type TypedWatch = Static<typeof watchSchema.body>;

export type WatchMistakes = Partial<Record<keyof TypedWatch, string>>;

/** A form that was refused. */
export interface RefusedWatch {
  typed: TypedWatch;
  mistakes: WatchMistakes;
  /** Whether only the calendar's content is wrong: it can be watched anyway. */
  isUnreadable?: boolean;
}

/** The calendar to watch, or its mistakes. Only the domain checks the address. */
export function checkWatch({
  address,
  label,
  anyway,
}: TypedWatch): { watch: NewWatch } | { mistakes: WatchMistakes } {
  if (address === '') return { mistakes: { address: 'Give the address of a calendar.' } };
  const checked = label === '' ? { value: null } : checkCalendarLabel(label);
  if ('problem' in checked) return { mistakes: { label: checked.problem } };
  return { watch: { address, label: checked.value, evenIfUnreadable: anyway === 'yes' } };
}
