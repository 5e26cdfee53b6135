import type { TimeSlot } from '../../../generated/schemas.js';
import { type ArtistWeek, changeArtistWeek, readArtistBookings } from '../../domain/artists.js';
import { readWeek } from '../../repositories/studio-settings.js';
import { sessions, weekdays } from '../arguments.js';
import {
  artistData,
  artistText,
  dayName,
  expectSaved,
  findArtist,
  withArtist,
} from '../artists.js';
import { bookingData, bookingTable } from '../booking-text.js';
import type { Run, StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import { count, table } from '../text.js';

export function addHoursCommand(artists: StaffCommand): void {
  withArtist(artists.command('hours'))
    .description("show an artist's week, or give them one of their own")
    .argument('[day...]', 'monday, tue, tue-fri, all', weekdays)
    .option('--sessions <list>', 'all, none, or sessions separated by commas', sessions)
    .option('--studio', "no week of their own: the studio's again")
    .explain(`
Other days stay as they are; from the first change on, the week of the studio ("hours set") counts no
more for the artist. Bookings stay; those whose session no longer exists are listed.

Examples:
  studio artists hours jon
  studio artists hours jon thu-sat --sessions all
  studio artists hours jon sun --sessions "1:00 PM"
  studio artists hours jon --studio`)
    .check((_typed: string, days: number[] | undefined, options: HoursOptions) => {
      checkHours(days, options);
    })
    .run(changeHours);
}

interface HoursOptions {
  sessions?: TimeSlot[];
  studio?: true;
}

function checkHours(days: number[] | undefined, { sessions: slots, studio }: HoursOptions): void {
  const hasDays = days !== undefined && days.length > 0;
  if (studio === true ? hasDays || slots !== undefined : hasDays !== (slots !== undefined)) {
    throw new StaffError(
      'usage',
      'Give days with --sessions, or --studio, or neither; see: studio artists hours --help',
    );
  }
}

async function changeHours(
  { services, actor, print }: Run,
  typed: string,
  days: number[] = [],
  { sessions: slots, studio }: HoursOptions = {},
): Promise<void> {
  const found = await findArtist(services, typed);
  const studioWeek = await readWeek(services.database);
  const week: ArtistWeek =
    studio === true
      ? null
      : (found.week ?? studioWeek).map((day) => ({
          weekday: day.weekday,
          sessions: days.includes(day.weekday) ? (slots ?? []) : day.sessions,
        }));
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
