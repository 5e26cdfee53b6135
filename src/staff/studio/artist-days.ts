import {
  type ArtistDays,
  changeArtistDays,
  sessionsAway,
  startArtist,
} from '../../domain/studio/artist-days.js';
import type { ArtistRecord } from '../../domain/studio/artists.js';
import { studioToday } from '../../domain/studio/settings.js';
import { readStudioWeek } from '../../domain/studio/week.js';
import { date } from '../arguments.js';
import type { Run, StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import { artistWeekText } from './artist-hours.js';
import { bookingData } from './booking-text.js';
import {
  aboutLines,
  addDecisionOptions,
  askAbout,
  choiceForAll,
  decidedData,
  type DecisionOptions,
} from './closed-days.js';
import {
  artistData,
  artistText,
  expectSaved,
  findNamed,
  refusalOf,
  withArtist,
} from './named-artists.js';

interface LeaveOptions extends DecisionOptions {
  never?: true;
}

/** The commands that say from when on, until when and whether people can book an artist. */
export function addDayCommands(artists: StaffCommand): void {
  const asking = `
What becomes of the sessions: an option says it for all; without one, a terminal asks for each. Those
that nobody decides about stay, undecided: nobody is reminded of them, and you get a mail.
`;
  addDecisionOptions(
    withArtist(artists.command('leave'))
      .description('set the last day of an artist, and decide about their later sessions')
      .argument('[date]', 'the last day on which people can book them, such as 2026-12-31', date)
      .option('--never', 'no last day: they stay'),
  )
    .explain(`${asking}
Examples:
  studio artists leave jon 2026-12-31
  studio artists leave jon 2026-12-31 --move-bookings --word "Jon is leaving us."
  studio artists leave jon --never`)
    .check((_typed: string, lastDay: string | undefined, options: LeaveOptions) => {
      if ((lastDay === undefined) !== (options.never === true)) {
        throw new StaffError('usage', 'Give a date, or --never.');
      }
      choiceForAll(options);
    })
    .run(async (run, typed: string, lastDay: string | null = null, options: LeaveOptions) =>
      takeAway(run, typed, { lastDay }, options),
    );

  addDecisionOptions(
    withArtist(artists.command('hide')).description(
      'let an artist take no new bookings, and decide about their sessions',
    ),
  )
    .explain(`${asking}
Examples:
  studio artists hide jon
  studio artists hide jon --ask-bookings --word "Jon is away; please choose another time."`)
    .check((_typed: string, options: DecisionOptions) => choiceForAll(options))
    .run(async (run, typed: string, options: DecisionOptions) =>
      takeAway(run, typed, { isHidden: true }, options),
    );

  withArtist(artists.command('show'))
    .description('let people book an artist who is new or hidden; set their first day')
    .option('--from <date>', 'their first day: nobody can book them before', date)
    .explain(`
For a new artist it shows the week and the first day (today, if there is none yet), and asks.

Examples:
  studio artists show jon
  studio artists show zoe --from 2026-12-07`)
    .run(show);
}

async function takeAway(
  run: Run,
  typed: string,
  change: ArtistDays,
  options: DecisionOptions,
): Promise<void> {
  const { services, actor, artists, print } = run;
  const artist = findNamed(artists, typed);
  const away = sessionsAway(artist, change);
  const deciding = await askAbout(run, options, away, `with ${artistText(artist)}`);
  const changed = await changeArtistDays(services, actor, artist.slug, change, deciding);
  if (changed.outcome !== 'saved') throw refusalOf(changed, typed);
  const { decided, met } = changed;
  const name = artistText(changed.artist);
  print(
    {
      [change.isHidden ? 'hidden' : 'changed']: artistData(changed.artist),
      bookings: met.map(bookingData(services)),
      decided: decidedData(services, decided),
    },
    () => [
      change.isHidden
        ? `Hidden: ${name}.`
        : `Last day of ${name}: ${change.lastDay ?? 'no last day'}.`,
      ...aboutLines(services, changed),
    ],
  );
}

async function show(run: Run, typed: string, { from }: { from?: string }): Promise<void> {
  const { services, artists, actor, context, confirm, print } = run;
  const artist = findNamed(artists, typed);
  const { slug } = artist;
  if (artist.is_new) {
    const firstDay = from ?? artist.first_day ?? (await studioToday(services));
    const studio = await readStudioWeek(services);
    if (!context.wantsJson()) context.printError(artistWeekText(studio, artist));
    await confirm(`Can people book ${artistText(artist)} from ${firstDay} on, in this week?`);
    const started = expectSaved(await startArtist(services, actor, slug, { firstDay }), typed);
    return print({ shown: artistData(started) }, () => [
      `Shown: ${artistText(started)}, from ${firstDay} on.`,
    ]);
  }
  const days = { isHidden: false, ...(from !== undefined && { firstDay: from }) };
  const shown = expectSaved(await changeArtistDays(services, actor, slug, days), typed);
  print({ shown: artistData(shown) }, () => [`Shown: ${artistText(shown)}.`]);
}

/** Whether people can book an artist: `yes`, `from 2026-12-07`, `no: hidden`. */
export function bookableText({ hidden_at, is_new, first_day, last_day }: ArtistRecord): string {
  if (is_new) return 'no: not shown yet';
  if (hidden_at !== null) return 'no: hidden';
  const days = [first_day && `from ${first_day}`, last_day && `until ${last_day}`];
  return days.filter(Boolean).join(' ') || 'yes';
}
