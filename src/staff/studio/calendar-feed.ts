import { InvalidArgumentError } from 'commander';
import {
  addCalendarFeed,
  type CalendarFeed,
  checkCalendarLabel,
  feedPath,
  type IssuedFeed,
  listCalendarFeeds,
  removeCalendarFeed,
  rotateCalendarFeed,
} from '../../domain/studio/calendar-feeds.js';
import type { ArtistNames } from '../artist-names.js';
import type { Run, StaffCommand } from '../command.js';
import { noSuch, onlyOne, StaffError } from '../failure.js';
import { shortId, table } from '../text.js';
import { addArtistOption, type ArtistOption, chosenArtist } from './named-artists.js';

interface AddOptions extends ArtistOption {
  label: string;
  details?: boolean;
}

export function addFeedCommands(calendar: StaffCommand): void {
  const feeds = calendar
    .command('feed')
    .description('secret addresses at which calendar programs read the bookings');

  const add = feeds
    .command('add')
    .description('make an address for one calendar program, and print it once')
    .requiredOption('--label <text>', 'what lists call it, such as "Phone"', label)
    .option('--details', 'show names, phone numbers and reasons of closures, not only initials');
  addArtistOption(add, 'only the sessions of this artist')
    .explain(`
The calendar shows confirmed sessions and closures. Make an address for each device, so that one
can be replaced or removed without the others.

Examples:
  studio calendar feed add --label Phone
  studio calendar feed add --label "Ada's laptop" --details`)
    .run(async (run, { label, details: hasDetails = false, artist }: AddOptions) => {
      const { services, actor } = run;
      const { artistId } = chosenArtist(run, { artist });
      const added = await addCalendarFeed(services, actor, { label, hasDetails, artistId });
      if (added.outcome === 'refused') throw new StaffError('refused', added.message);
      printIssued(run, 'added', added.issued);
    });

  feeds
    .command('list')
    .description('list the feeds, the newest first, without their addresses')
    .explain('\nExamples:\n  studio calendar feed list\n  studio calendar feed list --json')
    .run(async ({ services, names, at, print }) => {
      const rows = await listCalendarFeeds(services);
      const cells = rows.map((row) => [
        shortId(row.id),
        row.label,
        ...names.cell(row.artist_id),
        row.has_details ? 'names and phones' : 'initials',
        at(row.created_at),
      ]);
      print(rows.map(feedData(names)), () =>
        table(['ID', 'LABEL', ...names.heading, 'SHOWS', 'ADDED'], cells, 'No feeds.'),
      );
    });

  feeds
    .command('rotate')
    .description('replace the address of a feed, and print the new one once')
    .withId()
    .explain('\nExample:\n  studio calendar feed rotate 3f2a81c0 --yes')
    .run(async (run, id: string) => {
      const { services, actor, confirm } = run;
      const feed = onlyOne(await listCalendarFeeds(services), 'feed', id);
      await confirm(
        `Replace the address of “${feed.label}”? The present one stops working at once.`,
      );
      const issued = await rotateCalendarFeed(services, actor, feed.id);
      if (issued === null) throw noSuch('feed', id);
      printIssued(run, 'rotated', issued);
    });

  feeds
    .command('remove')
    .description('remove a feed: its address stops working at once')
    .withId()
    .explain('\nExample:\n  studio calendar feed remove 3f2a81c0 --yes')
    .run(async ({ services, actor, names, confirm, print }, id: string) => {
      const feed = onlyOne(await listCalendarFeeds(services), 'feed', id);
      await confirm(`Remove the feed “${feed.label}”?`);
      const removed = await removeCalendarFeed(services, actor, feed.id);
      if (removed === null) throw noSuch('feed', id);
      print({ removed: feedData(names)(removed) }, () => [`Removed: ${removed.label}.`]);
    });
}

function label(typed: string): string {
  const checked = checkCalendarLabel(typed);
  if ('problem' in checked) throw new InvalidArgumentError(checked.problem);
  return checked.value;
}

function feedData({ data }: ArtistNames) {
  return ({ id, label: name, has_details, artist_id, created_at }: CalendarFeed) => ({
    ...{ id, label: name, has_details, created_at },
    ...data(artist_id),
  });
}

function printIssued(
  { config, names, print }: Run,
  outcome: 'added' | 'rotated',
  { feed, token }: IssuedFeed,
): void {
  const url = `${config.publicBaseUrl}${feedPath(token)}`;
  print({ [outcome]: feedData(names)(feed), url }, () => [
    url,
    'Anyone who has this address can read the calendar: give it to nobody else. It is not shown again.',
    'Subscribe to it in a calendar program that reaches it:',
    '  iPhone   Settings, Calendar, Accounts, Add Account, Other, Add Subscribed Calendar',
    '  Mac      Calendar, File, New Calendar Subscription',
    '  Google   in a browser: Other calendars, From URL',
    '  Outlook  Add calendar, Subscribe from web',
  ]);
}
