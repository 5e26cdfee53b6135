import {
  addArtist,
  changeArtist,
  maxAboutLength,
  maxArtistNameLength,
  maxArtists,
  orderArtist,
  readArtists,
} from '../../domain/studio/artists.js';
import { readStudioWeek } from '../../domain/studio/week.js';
import { date, wholeNumber } from '../arguments.js';
import type { Run, StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import { table } from '../text.js';
import { addDayCommands, bookableText } from './artist-days.js';
import { addHoursCommand, artistWeekText } from './artist-hours.js';
import { artistData, artistText, expectSaved, findNamed, withArtist } from './named-artists.js';

interface TextOptions {
  about?: string | undefined;
  email?: string | undefined;
}

interface AddOptions extends TextOptions {
  from?: string;
  asStudio?: true;
}

export function addArtistCommands(program: StaffCommand): void {
  const artists = program
    .command('artists')
    .concerns('owner')
    .description('the artists: whose sessions are booked, their weeks and order');

  artists
    .command('list')
    .description('list the artists in their order')
    .explain('\nExamples:\n  studio artists list\n  studio artists list --json')
    .run(printAll);

  withTexts(
    artists
      .command('add')
      .description('add an artist, whom people can choose')
      .argument('<name>', `their name, at most ${maxArtistNameLength} characters`),
  )
    .option('--from <date>', 'their first day: nobody can book them before', date)
    .option('--as-studio', "with --from: people can book them at once, with the studio's week")
    .explain(`
The artist has the studio's week until "artists hours" makes days of it their own. Nobody can book
them before "artists show" has shown you their week and first day, unless --from and --as-studio say both.

What was there is the first artist's: give them a name before you add the second ("artists rename").
With the second, each time can be booked once for each artist who works then, and pages, mails and
answers name the artist. There is no way back, so the command asks first. The watched calendars that
were there close the times of the first artist only; closures and feeds stay those of the whole studio.
An artist can be hidden, and not removed.

Examples:
  studio artists rename artist "Mara"
  studio artists add "Jon" --about "Blackwork and lettering" --email jon@example.com
  studio artists add "Zoë" --from 2026-12-07 --as-studio`)
    .check((_name: string, { from, asStudio }: AddOptions) => {
      if (asStudio === true && from === undefined) {
        throw new StaffError('usage', 'Give --from with --as-studio.');
      }
    })
    .run(async (run, name: string, { about = '', email = '', from, asStudio }: AddOptions) => {
      const { services, actor, isSure, confirm, print } = run;
      const start = { firstDay: from ?? null, isShown: asStudio === true };
      const add = (isAgreed: boolean) =>
        addArtist(services, actor, { name, about, email }, { isAgreed, ...start });
      let added = await add(isSure);
      if (added.outcome === 'unagreed') {
        await confirm(
          `There is no way back from a second artist: they can be hidden, not removed. Add ${name}?`,
        );
        added = await add(true);
      }
      const artist = expectSaved(added, name);
      const studio = await readStudioWeek(services);
      print({ added: artistData(artist) }, () => [
        `Added: ${artistText(artist)}.`,
        ...artistWeekText(studio, artist),
        ...(artist.is_new
          ? [
              'Nobody can book them yet. Change the week if it is not theirs, and show them:',
              `  studio artists hours ${artist.slug} thu-sat --sessions all --other-days none`,
              `  studio artists show ${artist.slug}${from === undefined ? ' --from <date>' : ''}`,
            ]
          : []),
      ]);
    });

  withTexts(
    withArtist(artists.command('rename'))
      .description('give an artist another name; what is booked with them carries it')
      .argument('<name>', `the name, at most ${maxArtistNameLength} characters`),
  )
    .explain(`
Nobody is told. The first name of the first artist, who is called "artist" until then, makes the link
to their open times as well; later names leave the link as it is.

Examples:
  studio artists rename artist "Mara"
  studio artists rename mara "Mara Lind" --about "Birds and plants in fine line"`)
    .run((run, typed: string, name: string, { about, email }: TextOptions) =>
      change(run, typed, { name, about, email }, 'Renamed'),
    );

  withTexts(withArtist(artists.command('set')).description("change an artist's line or address"))
    .explain(`
The artist's address gets the mails about their sessions that are booked, moved or cancelled, beside
those that the studio gets. An empty text removes what was there.

Examples:
  studio artists set mara --email mara@example.com
  studio artists set mara --about ""`)
    .check((_typed: string, { about, email }: TextOptions) => {
      if ((about ?? email) === undefined) {
        throw new StaffError('usage', 'Give --about or --email; see: studio artists set --help');
      }
    })
    .run((run, typed: string, { about, email }: TextOptions) =>
      change(run, typed, { about, email }, 'Changed'),
    );

  addDayCommands(artists);

  addHoursCommand(artists);

  withArtist(artists.command('order'))
    .description('put an artist at a place of the order in which they are listed')
    .argument('<place>', 'the place, from 1 on', wholeNumber(1, maxArtists))
    .explain(`
Who has as few sessions as another on a day is booked by this order, if the person chooses nobody.

Example:
  studio artists order jon 1`)
    .run(async (run, typed: string, place: number) => {
      const { services, artists, actor } = run;
      const { slug } = findNamed(artists, typed);
      expectSaved(await orderArtist(services, actor, slug, place), typed);
      await printAll(run);
    });
}

function withTexts(command: StaffCommand): StaffCommand {
  return command
    .option('--about <text>', `a line about their work, at most ${maxAboutLength} characters`)
    .option('--email <address>', 'their own address for mails about their sessions');
}

async function change(
  { services, artists, actor, print }: Run,
  typed: string,
  { name, about, email }: TextOptions & { name?: string },
  done: string,
): Promise<void> {
  const { slug } = findNamed(artists, typed);
  const changed = await changeArtist(services, actor, slug, {
    ...(name !== undefined && { name }),
    ...(about !== undefined && { about }),
    ...(email !== undefined && { email }),
  });
  const artist = expectSaved(changed, typed);
  print({ changed: artistData(artist) }, () => [`${done}: ${artistText(artist)}.`]);
}

async function printAll({ services, print }: Run): Promise<void> {
  const artists = await readArtists(services);
  print(artists.map(artistData), () =>
    table(
      ['NAME', 'CALLED', 'WEEK', 'TAKES BOOKINGS', 'E-MAIL', 'ABOUT'],
      artists.map((artist) => [
        artist.name || '–',
        artist.slug,
        artist.week === null ? "the studio's" : 'their own',
        bookableText(artist),
        artist.email ?? '',
        artist.about,
      ]),
    ),
  );
}
