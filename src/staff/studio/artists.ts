import {
  addArtist,
  changeArtist,
  hideArtist,
  maxAboutLength,
  maxArtistNameLength,
  maxArtists,
  orderArtist,
  readArtistBookings,
  readArtists,
} from '../../domain/studio/artists.js';
import { wholeNumber } from '../arguments.js';
import type { Run, StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import { count, table } from '../text.js';
import { addHoursCommand } from './artist-hours.js';
import { bookingData, bookingTable } from './booking-text.js';
import { artistData, artistText, expectSaved, findNamed, withArtist } from './named-artists.js';

interface TextOptions {
  about?: string | undefined;
  email?: string | undefined;
}

export function addArtistCommands(program: StaffCommand): void {
  const artists = program
    .command('artists')
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
    .explain(`
The artist has the studio's week until "artists hours" makes days of it their own.

What was there is the first artist's: give them a name before you add the second ("artists rename").
With the second, each time can be booked once for each artist who works then, and pages, mails and
answers name the artist. There is no way back, so the command asks first. The watched calendars that
were there close the times of the first artist only; closures and feeds stay those of the whole studio.
An artist can be hidden, and not removed.

Examples:
  studio artists rename artist "Mara"
  studio artists add "Jon" --about "Blackwork and lettering" --email jon@example.com`)
    .run(async (run, name: string, { about = '', email = '' }: TextOptions) => {
      const { services, actor, isSure, confirm, print } = run;
      const add = (isAgreed: boolean) =>
        addArtist(services, actor, { name, about, email }, { isAgreed });
      let added = await add(isSure);
      if (added.outcome === 'unagreed') {
        await confirm(
          `There is no way back from a second artist: they can be hidden, not removed. Add ${name}?`,
        );
        added = await add(true);
      }
      const artist = expectSaved(added, name);
      print({ added: artistData(artist) }, () => [`Added: ${artistText(artist)}.`]);
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

  withArtist(artists.command('hide'))
    .description('let an artist take no new bookings; those booked stay, and are listed')
    .explain('\nExample:\n  studio artists hide jon')
    .run((run, typed: string) => hide(run, typed, true));

  withArtist(artists.command('show'))
    .description('let an artist who is hidden take bookings again')
    .explain('\nExample:\n  studio artists show jon')
    .run((run, typed: string) => hide(run, typed, false));

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

async function hide(
  { services, artists, actor, print }: Run,
  typed: string,
  isHidden: boolean,
): Promise<void> {
  const { slug } = findNamed(artists, typed);
  const artist = expectSaved(await hideArtist(services, actor, slug, isHidden), typed);
  const { upcoming } = await readArtistBookings(services, artist);
  print(
    {
      [isHidden ? 'hidden' : 'shown']: artistData(artist),
      ...(isHidden && { bookings: upcoming.map(bookingData(services)) }),
    },
    () => [
      `${isHidden ? 'Hidden' : 'Shown'}: ${artistText(artist)}.`,
      ...(isHidden && upcoming.length > 0
        ? [
            `${count(upcoming.length, 'booking')} with them, unchanged; "studio bookings move" moves one:`,
            ...bookingTable(services, upcoming),
          ]
        : []),
    ],
  );
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
        artist.hidden_at === null ? 'yes' : 'no: hidden',
        artist.email ?? '',
        artist.about,
      ]),
    ),
  );
}
