import type { DayRow, WeekDates } from '../../database/rows/results.js';
import type { DomainServices } from '../../domain/deps.js';
import { type ArtistDay, changeArtistWeek, ownDays } from '../../domain/studio/artist-weeks.js';
import type { ArtistRecord } from '../../domain/studio/artists.js';
import { closedSessions, sessionDays } from '../../domain/studio/own-weeks.js';
import {
  changeWeek,
  type IsAlsoTheirs,
  isOfDates,
  type StudioWeek,
  type WeekChange,
} from '../../domain/studio/week.js';
import { ServiceError } from '../../errors.js';
import type { Outcome } from '../console-page.js';
import { type FormDay, formDay, isOvertaken, shownDay, type TypedDay } from './week-fields.js';
import type { WeekFormProps } from './week.js';

/** A form of days that was not saved, and why. */
export type RefusedWeek = Outcome &
  Pick<WeekFormProps, 'typed' | 'closed' | 'drifts' | 'isAlsoTheirs'>;

export const hasMistakes = 'Nothing was saved. What is wrong is marked below.';
const overtaken =
  'The week has changed since you opened this page. Nothing was saved; what you typed is below.';
const undecided =
  'Nothing was saved yet: artists’ own weeks do not fit. Tick whose week changes, too, and save.';
const studioClosed = 'Nothing was saved yet: the studio is closed then. Save again, or change it.';

/** Typed days, which count in every week, or (`dates`) from one date to another. */
export interface TypedWeek {
  typed: readonly TypedDay[];
  studio: StudioWeek;
  dates?: WeekDates | null;
}

/** Of an artist. */
export interface TypedArtistWeek extends TypedWeek {
  artist: ArtistRecord;
  /** The sessions at which the studio is closed, as the form showed them. */
  agreed: string;
}

/** Whose days a form has: the studio's (null) or an artist's. Those that are not stored are as usual. */
export function shownDays(
  { week, dated }: StudioWeek,
  artist: ArtistRecord | null,
  dates: WeekDates | null = null,
): FormDay[] {
  const studios = dates === null ? week : dated.filter(isOfDates(dates));
  const stored = artist === null ? studios : ownDays(artist, dates);
  return week.map((ordinary) => {
    const isSame = ({ weekday }: DayRow) => weekday === ordinary.weekday;
    const own = stored.find(isSame);
    const ofArtist = artist?.week?.find(isSame) ?? { ...ordinary, opens: null, closes: null };
    return formDay(own ?? (artist === null ? ordinary : ofArtist), own === undefined);
  });
}

/** Saves the studio's days that were changed. */
export async function saveStudioDays(
  context: DomainServices,
  actor: string,
  { typed, studio, dates = null }: TypedWeek,
  isAlsoTheirs: IsAlsoTheirs,
): Promise<RefusedWeek | 'saved' | 'unchanged'> {
  const refused = refuseTyped(typed, shownDays(studio, null, dates));
  if (refused !== null) return refused;
  const changes = typed.filter(({ isChanged }) => isChanged).map(studioChange);
  if (changes.length === 0) return 'unchanged';
  const changed = await changeWeek(context, actor, changes, isAlsoTheirs, dates);
  switch (changed.outcome) {
    case 'saved':
      return 'saved';
    case 'changed':
      return { typed, trouble: overtaken };
    case 'undecided':
      return { typed, trouble: undecided, drifts: changed.drifts, isAlsoTheirs };
    case 'refused':
      return refusedFor(changed.problems.map(({ problem }) => problem).join(' '), typed);
  }
}

function refusedFor(problem: string, typed: readonly TypedDay[]): RefusedWeek {
  return { typed, status: 400, trouble: `Nothing was saved. ${problem}` };
}

function studioChange(day: TypedDay): WeekChange {
  const { weekday, sessions, hours, isUsual } = day;
  const common = { weekdays: [weekday], seen: [shownDay(day)] };
  if (isUsual) return { ...common, asUsual: true };
  return hours === null ? { ...common, hours } : { ...common, hours, sessions };
}

/** Saves an artist's days that were changed. */
export async function saveArtistDays(
  context: DomainServices,
  actor: string,
  week: TypedArtistWeek,
): Promise<RefusedWeek | 'saved' | 'unchanged'> {
  const { typed, artist, dates = null } = week;
  const refused = refuseArtistDays(week);
  if (refused !== null) return refused;
  const days = typed
    .filter(({ isChanged }) => isChanged)
    .map((day): ArtistDay => (day.isUsual ? { ...day, sessions: null } : day));
  if (days.length === 0) return 'unchanged';
  const changed = await changeArtistWeek(context, actor, artist.slug, days, dates);
  if (changed.outcome === 'saved') return 'saved';
  if (changed.outcome !== 'invalid') throw new ServiceError('not_found');
  return refusedFor(changed.problem, typed);
}

/** Why an artist's days cannot be saved. */
export function refuseArtistDays({
  typed,
  studio,
  artist,
  dates = null,
  agreed,
}: TypedArtistWeek): RefusedWeek | null {
  const refused = refuseTyped(typed, shownDays(studio, artist, dates));
  if (refused !== null) return refused;
  const own = typed.filter(({ isUsual }) => !isUsual);
  const all = [...studio.week, ...studio.dated];
  const closed = sessionDays(closedSessions(all, artist.week, own, dates));
  return closed === '' || closed === agreed ? null : { typed, trouble: studioClosed, closed };
}

function refuseTyped(typed: readonly TypedDay[], days: readonly FormDay[]): RefusedWeek | null {
  if (typed.some(({ mistake }) => mistake !== null)) {
    return { typed, status: 400, trouble: hasMistakes };
  }
  const isLate = days.some((day) =>
    typed.some((each) => each.weekday === day.weekday && isOvertaken(each, day)),
  );
  return isLate ? { typed, trouble: overtaken } : null;
}
