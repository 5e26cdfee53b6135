import type { Static } from '@sinclair/typebox';
import type { FastifyReply } from 'fastify';
import type { VNode } from 'preact';
import type { DaySessions } from '../../database/rows/results.js';
import type { DomainServices } from '../../domain/deps.js';
import {
  addOpening,
  type OpenedDay,
  type OpeningMistakes,
  removeOpening,
  staysClosed,
} from '../../domain/studio/openings.js';
import { isCalendarDate } from '../../schedule/dates.js';
import { timeSlots } from '../../schedule/slots.js';
import { unbroken } from '../../schedule/words.js';
import { Field } from '../../web/field.js';
import { calendarDate, form, formRefused, type PageScope, query, text } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { scheduleWords } from '../bookings/words.js';
import { hoursPath, newOpeningPath, openingsPath } from '../links.js';
import { longDate } from '../moment.js';
import { FoldedForm, PostForm } from '../parts.js';
import { actorOf } from '../session.js';
import { knownSessions, ticks } from './week-fields.js';
import { SessionTicks } from './week.js';

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
    <FoldedForm
      label="Close again"
      of={longDate(date)}
      action={`${openingsPath}/remove`}
      hidden={{ date, sessions: shown }}
    >
      <p>People can no longer book these sessions. Bookings that exist stay.</p>
      <button class="small">Remove the opening</button>
    </FoldedForm>
  );
}

const removedSchema = form({ date: calendarDate, sessions: text });

export interface NewOpeningPageProps {
  typed: DaySessions;
  mistakes: OpeningMistakes;
}

/** The form that opens sessions of one date. */
function NewOpeningPage({ typed, mistakes }: NewOpeningPageProps): VNode {
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

const openingSchema = form({ date: text, sessions: ticks });

function readOpeningForm({ date, sessions }: Static<typeof openingSchema.body>): DaySessions {
  return { date, sessions: knownSessions([sessions].flat()) };
}

const noDate = 'Give a date that exists, such as 2026-12-07.';

/** `/console/openings/…`: opens single days outside the week, and closes them again. */
export function registerOpenings(scope: PageScope, context: DomainServices): void {
  scope.get(newOpeningPath, { schema: query({ date: calendarDate }) }, (request, reply) => {
    const { date = '' } = request.query;
    return showForm(reply, { typed: { date, sessions: timeSlots }, mistakes: {} });
  });

  scope.post(newOpeningPath, { schema: openingSchema }, async (request, reply) => {
    const typed = readOpeningForm(request.body);
    if (!isCalendarDate(typed.date)) {
      return showForm(reply, { typed, mistakes: { date: noDate }, status: 400 });
    }
    const added = await addOpening(context, actorOf(request), typed);
    switch (added.outcome) {
      case 'added': {
        const done = added.day.sessions.some(staysClosed) ? 'day-opened-closed' : 'day-opened';
        return seeOther(reply, `${hoursPath}?done=${done}`);
      }
      case 'exists': {
        const mistakes = { sessions: added.sentence };
        return showForm(reply, { typed, mistakes, status: 409 });
      }
      case 'refused':
        return showForm(reply, { typed, mistakes: added.mistakes, status: 400 });
    }
  });

  // Removes what the page showed. Removing is idempotent.
  scope.post(`${openingsPath}/remove`, { schema: removedSchema }, async (request, reply) => {
    const { date, sessions: shown } = request.body;
    const sessions = knownSessions(shown.split(','));
    if (sessions.length === 0) throw formRefused();
    await removeOpening(context, actorOf(request), { date, sessions });
    return seeOther(reply, `${hoursPath}?done=day-closed`);
  });

  function showForm(
    reply: FastifyReply,
    { status, ...page }: NewOpeningPageProps & { status?: number },
  ): Promise<FastifyReply> {
    return reply.showPage({
      status,
      section: 'hours',
      title: 'Open a day',
      trouble: status === undefined ? null : 'Nothing was opened. What is wrong is marked below.',
      children: NewOpeningPage(page),
    });
  }
}
