import type { FastifyReply } from 'fastify';
import type { VNode } from 'preact';
import type { ClosureRow } from '../../database/rows/schema.js';
import type { DomainServices } from '../../domain/deps.js';
import { readClosures } from '../../domain/studio/closures.js';
import { type OpenedDay, readOpenings } from '../../domain/studio/openings.js';
import { readStudioWeek, type StudioWeek } from '../../domain/studio/week.js';
import { form, type PageScope } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { Whose } from '../artist-choice.js';
import { showsDone } from '../console-page.js';
import {
  doneOnDayMessages,
  hoursPath,
  linkToClosure,
  newClosurePath,
  newOpeningPath,
  undecidedPath,
  weeksPath,
} from '../links.js';
import { isolated } from '../parts.js';
import { actorOf } from '../session.js';
import { BookingLines, closureDates, closurePart, RemoveClosure } from './closure-parts.js';
import { OpeningList } from './openings.js';
import { type RefusedWeek, saveStudioDays, shownDays } from './save-week.js';
import { readDays, readFollowers, weekFields } from './week-fields.js';
import { WeekForm } from './week.js';

export interface HoursPageProps {
  studioWeek: StudioWeek;
  refused: RefusedWeek;
  closures: readonly ClosureRow[];
  openings: readonly OpenedDay[];
}

/** The week, and its exceptions. */
function HoursPage({ studioWeek, refused, closures, openings }: HoursPageProps): VNode {
  const { bookingsOutside } = studioWeek;
  return (
    <div class="hours">
      <section aria-label="The week">
        <p class="muted">
          The hours are shown to people; the sessions are what they can book. Bookings that exist
          stay. <a href={weeksPath}>All weeks, and those of dates</a>
        </p>
        <WeekForm
          {...refused}
          action={hoursPath}
          days={shownDays(studioWeek, null)}
          off="closed"
          buttons={<button>Save the week</button>}
        />
        {bookingsOutside.length > 0 && (
          <>
            <h2>Bookings outside these sessions</h2>
            <BookingLines bookings={bookingsOutside} />
          </>
        )}
      </section>
      <section aria-label="Single dates">
        <h2>Closures</h2>
        <p>
          <a class="button quiet small" href={newClosurePath}>
            Close dates
          </a>{' '}
          <a class="button quiet small" href={undecidedPath}>
            Sessions on closed days
          </a>
        </p>
        {closures.length === 0 ? (
          <p class="muted">None from today on.</p>
        ) : (
          <ul class="closures">
            {closures.map((closure) => (
              <li key={closure.id}>
                <p>
                  <a href={linkToClosure(closure.id)}>{closureDates(closure)}</a>
                  <span class="muted">
                    {' · '}
                    {closurePart(closure)}
                    <Whose artistId={closure.artist_id} before=" · " />
                  </span>
                </p>
                {closure.reason !== '' && <p class="muted">{isolated(closure.reason)}</p>}
                <RemoveClosure closure={closure} />
              </li>
            ))}
          </ul>
        )}
        <h2>Opened days</h2>
        <p>
          <a class="button quiet small" href={newOpeningPath}>
            Open a day
          </a>
        </p>
        <OpeningList openings={openings} />
      </section>
    </div>
  );
}

const messages = {
  saved: 'Saved. People see the new hours.',
  unchanged: 'Nothing was changed.',
  opened: doneOnDayMessages.opened,
  'day-opened': 'Opened. People can book these sessions.',
  'day-opened-closed':
    'Opened, but a closure or a busy calendar keeps some of these sessions closed.',
  'day-closed': 'The opening is removed. Bookings that exist stay.',
};

/** `/console/hours`: the week, and the closures and openings from today on. */
export function registerHours(scope: PageScope, context: DomainServices): void {
  scope.get(hoursPath, { schema: showsDone }, async (_request, reply) =>
    show(reply, await readStudioWeek(context)),
  );

  scope.post(hoursPath, { schema: form(weekFields) }, async (request, reply) => {
    const studio = await readStudioWeek(context);
    const week = { typed: readDays(request.body, true), studio };
    const isAlsoTheirs = readFollowers(request.body);
    const saved = await saveStudioDays(context, actorOf(request), week, isAlsoTheirs);
    return typeof saved === 'string'
      ? seeOther(reply, `${hoursPath}?done=${saved}`)
      : show(reply, await readStudioWeek(context), saved);
  });

  /** Shows the present week and, in the days that were changed, what was typed. */
  async function show(
    reply: FastifyReply,
    studioWeek: StudioWeek,
    refused: RefusedWeek = {},
  ): Promise<FastifyReply> {
    const { status, trouble } = refused;
    return reply.showPage({
      ...{ status, trouble },
      section: 'hours',
      title: 'Hours',
      messages,
      children: HoursPage({
        studioWeek,
        refused,
        closures: await readClosures(context, { past: false }),
        openings: await readOpenings(context, { past: false }),
      }),
    });
  }
}
