import type { FastifyReply } from 'fastify';
import type { VNode } from 'preact';
import type { ClosureRow } from '../../database/rows/schema.js';
import type { DomainServices } from '../../domain/deps.js';
import { readClosures } from '../../domain/studio/closures.js';
import { type OpenedDay, readOpenings } from '../../domain/studio/openings.js';
import {
  changeWeek,
  readStudioWeek,
  type StudioWeek,
  type WeekChange,
} from '../../domain/studio/week.js';
import type { PageScope } from '../../web/forms.js';
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
import {
  readChange,
  readFollowers,
  readWeekForm,
  WeekForm,
  type WeekFormProps,
  weekSchema,
} from './week.js';

export interface HoursPageProps extends Omit<WeekFormProps, 'week'> {
  studioWeek: StudioWeek;
  closures: readonly ClosureRow[];
  openings: readonly OpenedDay[];
}

/** The week, and its exceptions. */
function HoursPage({ studioWeek, closures, openings, ...form }: HoursPageProps): VNode {
  const { week, bookingsOutside } = studioWeek;
  return (
    <div class="hours">
      <section aria-label="The week">
        <p class="muted">
          The hours are shown to people; the sessions are what they can book. Bookings that exist
          stay. <a href={weeksPath}>All weeks, and those of dates</a>
        </p>
        <WeekForm week={week} {...form} />
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

const overtaken =
  'The week has changed since you opened this page. Nothing was saved; what you typed is below.';
const undecided =
  'Nothing was saved yet: artists’ own weeks do not fit. Tick whose week changes, too, and save.';
const hasMistakes = 'Nothing was saved. What is wrong is marked below.';

/** `/console/hours`: the week, and the closures and openings from today on. */
export function registerHours(scope: PageScope, context: DomainServices): void {
  scope.get(hoursPath, { schema: showsDone }, (_request, reply) => show(reply, {}));

  scope.post(hoursPath, { schema: weekSchema }, async (request, reply) => {
    const posted = readWeekForm(request.body);
    const mistakes = new Map<number, string>();
    const changes: WeekChange[] = [];
    for (const day of posted.filter(({ isChanged }) => isChanged)) {
      const change = readChange(day);
      if (typeof change === 'string') mistakes.set(day.seen.weekday, change);
      else changes.push(change);
    }
    if (mistakes.size > 0) return show(reply, { posted, mistakes });
    if (changes.length === 0) return seeOther(reply, `${hoursPath}?done=unchanged`);
    const isAlsoTheirs = readFollowers(request.body);
    const changed = await changeWeek(context, actorOf(request), changes, isAlsoTheirs);
    switch (changed.outcome) {
      case 'saved':
        return seeOther(reply, `${hoursPath}?done=saved`);
      case 'changed':
        return show(reply, { posted, mistakes, conflict: overtaken });
      case 'undecided':
        return show(reply, { posted, drifts: changed.drifts, isAlsoTheirs, conflict: undecided });
      case 'refused':
        for (const { weekday, problem } of changed.problems) mistakes.set(weekday, problem);
        return show(reply, { posted, mistakes });
    }
  });

  interface Refused extends Partial<Omit<WeekFormProps, 'week'>> {
    /** Why nothing was saved, if it is no mistake. */
    conflict?: string;
  }

  /** Shows the present week and, in the days that were changed, what was typed. */
  async function show(
    reply: FastifyReply,
    { posted = null, mistakes = new Map(), conflict, ...asked }: Refused,
  ): Promise<FastifyReply> {
    const refusal = {
      status: conflict === undefined ? 400 : 409,
      trouble: conflict ?? hasMistakes,
    };
    return reply.showPage({
      ...(posted !== null && refusal),
      section: 'hours',
      title: 'Hours',
      messages,
      children: HoursPage({
        studioWeek: await readStudioWeek(context),
        closures: await readClosures(context, { past: false }),
        openings: await readOpenings(context, { past: false }),
        posted,
        mistakes,
        ...asked,
      }),
    });
  }
}
