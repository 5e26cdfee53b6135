import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readClosures } from '../../domain/closures.js';
import type { DomainServices } from '../../domain/deps.js';
import {
  changeWeek,
  findDayProblem,
  isSameDay,
  readStudioWeek,
  type WeekChange,
} from '../../domain/week.js';
import { type Fields, formRefused } from '../../web/form-fields.js';
import { seeOther } from '../../web/send-page.js';
import { doneMessage, type ShowPage } from '../pages.js';
import { actorOf } from '../session.js';
import { HoursPage } from './hours-page.js';
import { hoursPath } from '../links.js';
import type { TimeSlot } from '../../../generated/schemas.js';
import { timeSlots } from '../../schedule/slots.js';
import type { DayRow } from '../../repositories/studio-settings.js';

interface HoursRoute {
  Body: Fields | undefined;
}

const doneMessages = {
  saved: 'Saved. People see the new hours.',
  unchanged: 'Nothing was changed.',
  opened: 'The closure is removed. Its dates can be booked again.',
} as const;

/** `/console/hours`: the week, and the closures from today on. */
export function registerHours(
  scope: FastifyInstance,
  context: DomainServices,
  showPage: ShowPage,
): void {
  scope.get(hoursPath, (request, reply) => show(request, reply, {}));

  scope.post<HoursRoute>(hoursPath, async (request, reply) => {
    const posted = readWeekForm(request.body ?? {});
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

/** A day of the form, as it was typed. */
export interface TypedDay {
  weekday: number;
  opens: string;
  closes: string;
  sessions: TimeSlot[];
  isClosed: boolean;
}

/** A day of the form that was posted. */
export interface PostedDay {
  /** As the page showed it. */
  seen: DayRow;
  typed: TypedDay;
  isChanged: boolean;
}

export function typedDay({ weekday, opens, closes, sessions }: DayRow): TypedDay {
  const isClosed = opens === null || closes === null;
  return { weekday, opens: opens ?? '', closes: closes ?? '', sessions, isClosed };
}

/** A day as the hidden field of the form says it. */
export function daySeen({ opens, closes, sessions }: DayRow): string {
  return [opens ?? '', closes ?? '', sessions.join()].join('|');
}

/** The seven days of the form. Throws `invalid_request` if it is not that of the page. */
export function readWeekForm(fields: Fields): PostedDay[] {
  return Array.from({ length: 7 }, (_, index) => readDay(fields, index + 1));
}

function readDay(fields: Fields, weekday: number): PostedDay {
  const seenText = fields[`seen-${weekday}`];
  const [opens, closes] = [fields[`opens-${weekday}`], fields[`closes-${weekday}`]];
  if (typeof seenText !== 'string' || typeof opens !== 'string' || typeof closes !== 'string') {
    throw formRefused();
  }
  const [seenOpens, seenCloses, seenSessions = ''] = seenText.split('|');
  const seen = {
    weekday,
    opens: seenOpens || null,
    closes: seenCloses || null,
    sessions: knownSessions(seenSessions.split(',')),
  };
  const typed = {
    weekday,
    opens: opens.trim(),
    closes: closes.trim(),
    sessions: knownSessions([fields[`sessions-${weekday}`]].flat()),
    isClosed: fields[`closed-${weekday}`] !== undefined,
  };
  return { seen, typed, isChanged: !isSameTyped(typed, typedDay(seen)) };
}

function knownSessions(texts: readonly unknown[]): TimeSlot[] {
  return timeSlots.filter((slot) => texts.includes(slot));
}

function isSameTyped(one: TypedDay, other: TypedDay): boolean {
  return one.isClosed === other.isClosed && isSameDay(one, other);
}

/** What a changed day asks for, or a sentence for what is wrong with it. */
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
  const found = findDayProblem({ weekday, opens, closes, sessions });
  return found === null ? { ...common, hours: { opens, closes }, sessions } : found.problem;
}

function isTime(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text);
}
