import { readArtists } from '../../domain/studio/artists.js';
import { readOpenQuestions } from '../../domain/studio/closed-days.js';
import { daysAsStudio } from '../../domain/studio/own-weeks.js';
import { isForOthers, listHindrances } from '../../domain/studio/ready-for-others.js';
import { studioToday } from '../../domain/studio/settings.js';
import { listWatchedCalendars } from '../../domain/studio/watched-calendars.js';
import { readStudioWeek } from '../../domain/studio/week.js';
import { calendarProblems } from '../../icalendar/calendar-reader.js';
import { readStudio } from '../../repositories/studio-settings.js';
import { WEEKDAYS } from '../../schedule/dates.js';
import { type Finding, ok, warning, warningOf } from '../failure.js';
import type { Session } from '../session.js';
import { count } from '../text.js';

/** Warns of what people would find wrong in a service that they can reach. */
export async function checkReadiness({ config, services }: Session): Promise<Finding> {
  if (!isForOthers(config)) return ok('Only this machine reaches the service.');
  const hindrances = listHindrances(config, await readStudio(services.database));
  return warningOf(
    hindrances,
    "The studio's details, links and limits are those of a service for others.",
  );
}

/**
 * Warns of watched calendars that could not be read for two hours, ever, or in part, or that nobody
 * reads.
 */
export async function checkCalendars({ services }: Session): Promise<Finding> {
  const calendars = await listWatchedCalendars(services);
  const overdue = calendars.filter(({ isOverdue }) => isOverdue);
  const problems = [
    ...calendars.flatMap((calendar) => {
      const { label, isFailing, read_at, last_error } = calendar;
      // A failure that may be temporary is none yet.
      const isNew = last_error !== null && !isFailing && read_at !== null;
      const problems = calendarProblems(isNew ? { ...calendar, last_error: null } : calendar);
      const since = isFailing ? ' could not be read for two hours' : '';
      return problems.length === 0 ? [] : [`${label}${since}: ${problems.join(' ')}`];
    }),
    overdue.length > 0 &&
      `Not fetched for 30 minutes: ${overdue.map(({ label }) => label).join(', ')}. Start a process with ROLE=all or ROLE=worker.`,
  ];
  const read = `${count(calendars.length, 'watched calendar')}, all read.`;
  return warningOf(problems, calendars.length === 0 ? 'No calendars are watched.' : read);
}

export async function checkClosedDays({ services }: Session): Promise<Finding> {
  const { undecided, asked } = await readOpenQuestions(services);
  const waiting =
    asked.length === 0 ? '' : ` Asked for another time: ${count(asked.length, 'person')}.`;
  return undecided.length === 0
    ? ok(`No session on a closed day is undecided.${waiting}`)
    : warning(
        `Sessions on closed days: ${undecided.length}. Nobody is reminded of them until you decide: run "studio closures decide".${waiting}`,
      );
}

/**
 * Warns of artists who wait to be shown, and of own days that equal the studio's, and would not follow a
 * change of it.
 */
export async function checkWeeks({ services }: Session): Promise<Finding> {
  const { week } = await readStudioWeek(services);
  const today = await studioToday(services);
  const waiting: string[] = [];
  const equal: string[] = [];
  for (const artist of await readArtists(services)) {
    const { slug, is_new, first_day: first } = artist;
    const since = first !== null && first <= today ? `, though the first day was ${first}` : '';
    if (is_new) {
      waiting.push(`Nobody can book ${slug} yet${since}: run "studio artists show ${slug}".`);
    }
    const days = daysAsStudio(week, artist).map((weekday) => WEEKDAYS[weekday - 1]);
    if (days.length > 0) equal.push(`"studio artists hours ${slug} ${days.join(' ')} --as-studio"`);
  }
  const problems = [
    ...waiting,
    equal.length > 0 &&
      `Artists' own days that equal the studio's do not change with it. If they should, run ${equal.join(', ')}.`,
  ];
  return warningOf(problems, "Nobody waits to be shown, and no own day equals the studio's.");
}
