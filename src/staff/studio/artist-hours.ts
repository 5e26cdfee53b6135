import { Option } from 'commander';
import type { TimeSlot } from '../../../generated/schemas.js';
import { changeArtistWeek, readArtistBookings } from '../../domain/studio/artists.js';
import { closedSessions, sessionDays, sessionsOn } from '../../domain/studio/own-weeks.js';
import { readStudioWeek } from '../../domain/studio/week.js';
import { sessions, weekdays } from '../arguments.js';
import { ask } from '../command-context.js';
import type { Run, StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import { count, table } from '../text.js';
import { bookingData, bookingTable } from './booking-text.js';
import {
  artistData,
  artistText,
  dayName,
  expectSaved,
  findNamed,
  withArtist,
} from './named-artists.js';

export function addHoursCommand(artists: StaffCommand): void {
  withArtist(artists.command('hours'))
    .description("show an artist's week, or give them one of their own")
    .argument('[day...]', 'monday, tue, tue-fri, all', weekdays)
    .option('--sessions <list>', 'all, none, or sessions separated by commas', sessions)
    .addOption(
      new Option('--other-days <as>', "the other days: the studio's sessions, or none").choices([
        'studio',
        'none',
      ]),
    )
    .option('--studio', "no week of their own: the studio's again")
    .explain(`
In a week of their own, other days stay as they are. An artist who gets one now had the studio's week:
you are asked about the other days, unless --other-days says it, and before an artist begins to work
when the studio is closed. Bookings stay; those whose session no
longer exists are listed.

Examples:
  studio artists hours jon
  studio artists hours jon thu-sat --sessions all --other-days none
  studio artists hours jon sun --sessions "1:00 PM"
  studio artists hours jon --studio`)
    .check((_typed: string, days: number[] | undefined, options: HoursOptions) => {
      checkHours(days, options);
    })
    .run(changeHours);
}

interface HoursOptions {
  sessions?: TimeSlot[];
  otherDays?: 'studio' | 'none';
  studio?: true;
}

function checkHours(
  days: number[] = [],
  { sessions: slots, otherDays, studio }: HoursOptions,
): void {
  const [hasDays, hasSessions] = [days.length > 0, slots !== undefined];
  const isWrong = studio === true ? hasDays || hasSessions : hasDays !== hasSessions;
  if (isWrong || (otherDays !== undefined && !hasSessions)) {
    throw new StaffError(
      'usage',
      'Give days with --sessions, or --studio, or neither, and --other-days only with days; see: studio artists hours --help',
    );
  }
}

async function changeHours(
  { context, services, artists, actor, print, confirm }: Run,
  typed: string,
  days: number[] = [],
  { sessions: slots, otherDays, studio }: HoursOptions = {},
): Promise<void> {
  const { week: studioWeek } = await readStudioWeek(services);
  const found = findNamed(artists, typed);
  const present = found.week ?? studioWeek;
  const kept = sessionDays(studioWeek.filter(({ weekday }) => !days.includes(weekday)));
  let as = otherDays;
  if (slots !== undefined && as === undefined && found.week === null && kept !== '') {
    const question = `So far ${artistText(found)} has the studio's week. Do they keep its other days, ${kept}? If not, they do not work then.`;
    const otherwise = 'give --other-days studio or --other-days none.';
    as = (await ask(context, question, otherwise)) ? 'studio' : 'none';
  }
  const others = { studio: studioWeek, none: [], as_before: present }[as ?? 'as_before'];
  const week =
    slots === undefined
      ? null
      : studioWeek.map(({ weekday }) => ({
          weekday,
          sessions: days.includes(weekday) ? slots : sessionsOn(others, weekday),
        }));
  const closed = week === null ? '' : sessionDays(closedSessions(studioWeek, present, week));
  if (closed !== '') {
    await confirm(`The studio is closed on ${closed}. Does ${artistText(found)} work then?`);
  }
  const isChange = studio === true || slots !== undefined;
  const artist = isChange
    ? expectSaved(await changeArtistWeek(services, actor, found.slug, week), typed)
    : found;
  const { outside } = await readArtistBookings(services, artist);
  print(
    { artist: artistData(artist), bookings_outside: outside.map(bookingData(services)) },
    () => [
      `${artistText(artist)}: ${artist.week === null ? "the studio's week" : 'a week of their own'}.`,
      ...table(
        ['DAY', 'SESSIONS'],
        (artist.week ?? studioWeek).map((day) => [
          dayName(day.weekday),
          day.sessions.join(', ') || '–',
        ]),
      ),
      ...(outside.length === 0
        ? []
        : [
            '',
            `${count(outside.length, 'booking')} outside these sessions, unchanged:`,
            ...bookingTable(services, outside),
          ]),
    ],
  );
}
