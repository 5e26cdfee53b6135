import type { TimeSlot } from '../../../generated/schemas.js';
import { type ExplainedSlot, explainSlots } from '../../domain/studio/days.js';
import { awayWords } from '../../domain/studio/words.js';
import type { SlotState } from '../../schedule/calendar.js';
import { labelWith } from '../../schedule/words.js';
import { date, timeSlot } from '../arguments.js';
import type { ArtistNames } from '../artist-names.js';
import type { StaffCommand } from '../command.js';
import { closedText, localTime, shortId, slotsText } from '../text.js';
import { addFeedCommands } from './calendar-feed.js';
import { addWatchCommands } from './calendar-watch.js';
import { addArtistOption, type ArtistOption, chosenArtist } from './named-artists.js';

export function addCalendarCommands(program: StaffCommand): void {
  const calendar = program
    .command('calendar')
    .concerns('artist')
    .description('the bookings in calendar programs, and calendars that close slots');
  addFeedCommands(calendar);
  addWatchCommands(calendar);

  const why = calendar
    .command('why')
    .description('tell why a session can be booked or not')
    .argument('<date>', 'its date, such as 2026-12-24', date)
    .argument('<session>', 'its time, such as "1:00 PM"', timeSlot);
  addArtistOption(why, 'with this artist')
    .explain('\nExample:\n  studio calendar why 2026-12-24 "1:00 PM"')
    .run(async (run, day: string, session: TimeSlot, options: ArtistOption) => {
      const { services, names, print } = run;
      const { artistId, artistName } = chosenArtist(run, options);
      const slot = { date: day, timeSlot: session, artistId };
      const [explained] = (await explainSlots(services, [slot])) as [ExplainedSlot];
      print(explainedData(explained, names), () => [
        `${labelWith(slotsText(day, day, session), artistName)}: ${stateWords[explained.state]}`,
        ...reasonsText(explained, artistName, names),
      ]);
    });
}

const stateWords: Readonly<Record<SlotState, string>> = {
  open: 'can be booked.',
  taken: 'is booked.',
  held: 'is held.',
  no_session: 'the week has no session then.',
  closed: 'is closed.',
  past: 'has begun.',
  too_soon: 'begins too soon to be booked.',
  too_far: 'is too far ahead to be booked.',
};

function reasonsText(
  explained: ExplainedSlot,
  artistName: string | null,
  { words }: ArtistNames,
): string[] {
  const { away, closures, busy, timezone, isInWeek, isOpened, state } = explained;
  const isOutside = !isInWeek && state !== 'no_session';
  return [
    ...(isOutside
      ? [`  The week${artistName === null ? '' : ` of ${artistName}`} has no session then.`]
      : []),
    ...(isOpened ? ['  It is opened on this date.'] : []),
    ...away.map((artist) => `  ${awayWords(artist, explained.date)}`),
    ...closures.map((closure) => {
      const why = closure.reason === '' ? '' : `: ${closure.reason}`;
      return `  Closure ${shortId(closure.id)}, ${closedText(closure)}${words(closure.artist_id)}${why}`;
    }),
    ...busy.map(({ calendarId, label, startsAt, endsAt, artistId }) => {
      const times = `${localTime(startsAt, timezone)} to ${localTime(endsAt, timezone)}`;
      return `  Watched calendar ${label} (${shortId(calendarId)})${words(artistId)}, busy ${times}`;
    }),
  ];
}

function explainedData(
  { state, isInWeek, isOpened, away, closures, busy }: ExplainedSlot,
  { data }: ArtistNames,
) {
  return {
    state,
    in_week: isInWeek,
    opened: isOpened,
    ...(away.length > 0 && {
      away: away.map(({ slug, name, firstDay, lastDay }) => {
        return { slug, name, first_day: firstDay, last_day: lastDay };
      }),
    }),
    closures: closures.map(({ artist_id, created_at, starts_at, ends_at, ...closure }) => ({
      ...closure,
      ...data(artist_id),
    })),
    busy: busy.map(({ calendarId, label, startsAt, endsAt, artistId }) => ({
      calendar_id: calendarId,
      label,
      starts_at: startsAt,
      ends_at: endsAt,
      ...data(artistId),
    })),
  };
}
