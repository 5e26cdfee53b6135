import type { FastifyReply, FastifyRequest } from 'fastify';
import { readClosures } from '../../domain/closures.js';
import type { DomainServices } from '../../domain/deps.js';
import { readOpenings } from '../../domain/openings.js';
import { changeWeek, readStudioWeek, type WeekChange } from '../../domain/week.js';
import type { PageScope } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { hoursPath } from '../links.js';
import { doneMessage, type ShowPage, showsDone } from '../pages.js';
import { actorOf } from '../session.js';
import { HoursPage } from './hours-page.js';
import { type PostedDay, readChange, readWeekForm, weekSchema } from './week.js';

const doneMessages = {
  saved: 'Saved. People see the new hours.',
  unchanged: 'Nothing was changed.',
  opened: 'The closure is removed. Sessions that only it closed can be booked again.',
  'day-opened': 'Opened. People can book these sessions.',
  'day-opened-closed':
    'Opened, but a closure or a busy calendar keeps some of these sessions closed.',
  'day-closed': 'The opening is removed. Bookings that exist stay.',
} as const;

/** `/console/hours`: the week, and the closures and openings from today on. */
export function registerHours(scope: PageScope, context: DomainServices, showPage: ShowPage): void {
  scope.get(hoursPath, { schema: showsDone }, (request, reply) => show(request, reply, {}));

  scope.post(hoursPath, { schema: weekSchema }, async (request, reply) => {
    const posted = readWeekForm(request.body);
    const mistakes = new Map<number, string>();
    const changes: WeekChange[] = [];
    for (const day of posted.filter(({ isChanged }) => isChanged)) {
      const change = readChange(day);
      if (typeof change === 'string') mistakes.set(day.seen.weekday, change);
      else changes.push(change);
    }
    if (mistakes.size > 0) return show(request, reply, { posted, mistakes });
    if (changes.length === 0) return seeOther(reply, `${hoursPath}?done=unchanged`);
    const changed = await changeWeek(context, actorOf(request), ...changes);
    switch (changed.outcome) {
      case 'saved':
        return seeOther(reply, `${hoursPath}?done=saved`);
      case 'changed':
        return show(request, reply, { posted, mistakes, isOvertaken: true });
      case 'refused':
        for (const { weekday, problem } of changed.problems) mistakes.set(weekday, problem);
        return show(request, reply, { posted, mistakes });
    }
  });

  interface Refused {
    posted?: readonly PostedDay[];
    mistakes?: ReadonlyMap<number, string>;
    isOvertaken?: boolean;
  }

  /** Shows the week as it is now and, in the days that were changed, what was typed. */
  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    { posted, mistakes = new Map(), isOvertaken = false }: Refused,
  ): Promise<FastifyReply> {
    const status = isOvertaken ? 409 : 400;
    return showPage(request, reply, {
      status: posted === undefined ? 200 : status,
      section: 'hours',
      title: 'Hours',
      done: posted === undefined ? doneMessage(request, doneMessages) : null,
      trouble: posted === undefined ? null : troubleOf(isOvertaken),
      children: HoursPage({
        studioWeek: await readStudioWeek(context),
        closures: await readClosures(context, { past: false }),
        openings: await readOpenings(context, { past: false }),
        posted: posted ?? null,
        mistakes,
      }),
    });
  }
}

function troubleOf(isOvertaken: boolean): string {
  return isOvertaken
    ? 'The week has changed since you opened this page. Nothing was saved; what you typed is below.'
    : 'Nothing was saved. What is wrong is marked below.';
}
