import { Option } from 'commander';
import type { TimeSlot } from '../../../generated/schemas.js';
import { type ArtistDay, changeArtistWeek, ownDays } from '../../domain/studio/artist-weeks.js';
import { type ArtistRecord, readArtistBookings } from '../../domain/studio/artists.js';
import {
  closedSessions,
  countingWeek,
  datesWords,
  sessionDays,
  type StoredDay,
} from '../../domain/studio/own-weeks.js';
import { readStudioWeek, type StudioWeek } from '../../domain/studio/week.js';
import { closingTime, date, sessions, timeOfDay, weekdays } from '../arguments.js';
import { ask } from '../command-context.js';
import type { Run, StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import { bookingData } from './booking-text.js';
import { outsideText, readDates, sessionsText, weekTables } from './hours.js';
import { artistData, artistText, expectSaved, findNamed, withArtist } from './named-artists.js';

export function addHoursCommand(artists: StaffCommand): void {
  withArtist(artists.command('hours'))
    .description("show an artist's week, or make days of it their own")
    .argument('[day...]', 'monday, tue, tue-fri, all', weekdays)
    .option('--sessions <list>', 'all, none, or sessions separated by commas', sessions)
    .option('--opens <time>', 'when they begin, if not when the studio opens', timeOfDay)
    .option('--closes <time>', 'when their last session ends, if not when it closes', closingTime)
    .option('--as-studio', "the days, or all, are the studio's again")
    .option('--from <date>', 'only from this date on', date)
    .option('--to <date>', 'only until this date', date)
    .addOption(
      new Option('--other-days <as>', "the other days: as before the studio's, or none").choices([
        'studio',
        'none',
      ]),
    )
    .explain(`
A day with sessions of its own is theirs from then on; other days stay as they are. An artist who had
no day of their own had the studio's week: you are asked about its other days, unless --other-days says
it, and before an artist begins to work when the studio is closed. With --from and --to, the days count
only from one date to the other. Bookings stay; those whose session no longer exists are listed.

Examples:
  studio artists hours jon
  studio artists hours jon thu-sat --sessions all --other-days none
  studio artists hours jon sun --sessions "1:00 PM"
  studio artists hours jon fri --sessions all --opens 12:00 --closes 22:00
  studio artists hours jon all --sessions none --from 2026-12-24 --to 2027-01-02
  studio artists hours jon sun --as-studio
  studio artists hours jon --as-studio`)
    .check((_typed: string, days: number[] | undefined, options: HoursOptions) => {
      checkHours(days, options);
    })
    .run(changeHours);
}

interface HoursOptions {
  sessions?: TimeSlot[];
  opens?: string;
  closes?: string;
  asStudio?: true;
  from?: string;
  to?: string;
  otherDays?: 'studio' | 'none';
}

function checkHours(days: number[] = [], options: HoursOptions): void {
  const { sessions: slots, opens, closes, asStudio, otherDays } = options;
  const dates = readDates(options);
  const isChange = slots !== undefined;
  const isWrong =
    asStudio === true ? isChange : days.length > 0 !== isChange || (dates !== null && !isChange);
  const isPartOfChange = [opens, closes, otherDays].every((each) => each === undefined) || isChange;
  if (isWrong || !isPartOfChange || (opens === undefined) !== (closes === undefined)) {
    throw new StaffError(
      'usage',
      'Give days with --sessions, or --as-studio, or neither; --opens with --closes, and these and --other-days only with --sessions; see: studio artists hours --help',
    );
  }
}

async function changeHours(
  { context, services, artists, actor, print, confirm }: Run,
  typed: string,
  days: number[] = [],
  options: HoursOptions = {},
): Promise<void> {
  const { sessions: slots, opens, closes, asStudio } = options;
  const dates = readDates(options);
  const studio = await readStudioWeek(services);
  const found = findNamed(artists, typed);
  let change: ArtistDay[] | null = null;
  if (slots !== undefined) {
    const hours = opens === undefined || closes === undefined ? {} : { hours: { opens, closes } };
    change = days.map((weekday) => ({ weekday, sessions: slots, ...hours }));
    const kept = studio.week.filter(({ weekday }) => !days.includes(weekday));
    const hadNone = found.week === null && dates === null && sessionDays(kept) !== '';
    const as = options.otherDays ?? (hadNone ? await askOthers(context, found, kept) : 'studio');
    if (as === 'none') {
      change.push(...kept.map(({ weekday }) => ({ weekday, sessions: [] })));
    }
    const named = change.map(({ weekday, sessions: own }) => ({ weekday, sessions: own ?? [] }));
    const all = [...studio.week, ...studio.dated];
    const closed = sessionDays(closedSessions(all, found.week, named, dates));
    if (closed !== '') {
      await confirm(`The studio is closed on ${closed}. Does ${artistText(found)} work then?`);
    }
  } else if (asStudio === true && days.length > 0) {
    change = days.map((weekday) => ({ weekday, sessions: null }));
  }
  const isChange = asStudio === true || slots !== undefined;
  if (asStudio === true && dates !== null && ownDays(found, dates).length === 0) {
    throw new StaffError('not_found', `They have no days of their own ${datesWords(dates)}.`);
  }
  const artist = isChange
    ? expectSaved(await changeArtistWeek(services, actor, found.slug, change, dates), typed)
    : found;
  const { outside } = await readArtistBookings(services, artist);
  print(
    { artist: artistData(artist), bookings_outside: outside.map(bookingData(services)) },
    () => [...artistWeekText(studio, artist), ...outsideText(services, outside)],
  );
}

async function askOthers(
  context: Run['context'],
  artist: ArtistRecord,
  kept: readonly StoredDay[],
): Promise<'studio' | 'none'> {
  const question = `So far ${artistText(artist)} has the studio's week. Do they keep its other days, ${sessionDays(kept)}? If not, they do not work then.`;
  const otherwise = 'give --other-days studio or --other-days none.';
  return (await ask(context, question, otherwise)) ? 'studio' : 'none';
}

type CountingDay = StoredDay & { isOwn: boolean };

/** The days that count for an artist, and whose they are. */
export function artistWeekText({ week, dated }: StudioWeek, artist: ArtistRecord): string[] {
  const isTheirs = ({ weekday }: StoredDay) =>
    artist.week?.every((day) => day.weekday !== weekday) ?? true;
  const ofDates: CountingDay[] = [
    ...artist.dated.map((day) => ({ ...day, isOwn: true })),
    ...dated.filter(isTheirs).map((day) => ({ ...day, isOwn: false })),
  ];
  const own = artist.week === null ? "the studio's week" : 'days of their own';
  return [
    `${artistText(artist)}: ${own}.`,
    ...weekTables<CountingDay>(countingWeek(week, artist), ofDates, {
      HOURS: (day) => hoursText(day, week),
      SESSIONS: sessionsText,
      WEEK: ({ isOwn }) => (isOwn ? 'their own' : "the studio's"),
    }),
  ];
}

/** An artist's day without hours has the studio's, which differ by date where it has dates. */
function hoursText(day: CountingDay, week: readonly StoredDay[]): string {
  if (!day.isOwn && day.opens === null) return 'closed';
  const studios = week.find(({ weekday }) => weekday === day.weekday);
  const isStudios = day.opens === null && day.from_date === undefined;
  const { opens, closes } = isStudios ? (studios ?? day) : day;
  return opens === null ? '–' : `${opens}–${closes}`;
}
