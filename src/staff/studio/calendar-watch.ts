import {
  type AddedWatch,
  addWatchedCalendar,
  fetchWatchedCalendar,
  listWatchedCalendars,
  removeWatchedCalendar,
  type WatchedCalendar,
} from '../../domain/studio/watched-calendars.js';
import { calendarProblems } from '../../icalendar/calendar-reader.js';
import type { ArtistNames } from '../artist-names.js';
import type { Run, StaffCommand } from '../command.js';
import { noSuch, onlyOne, StaffError } from '../failure.js';
import { addCheckCommand, withReader } from '../operator/calendar-check.js';
import type { StaffServices } from '../session.js';
import { count, facts, shortId, table } from '../text.js';
import { addArtistOption, type ArtistOption, chosenArtist } from './named-artists.js';

const noun = 'watched calendar';

interface AddOptions extends ArtistOption {
  label?: string | null;
  anyway?: boolean;
}

export function addWatchCommands(calendar: StaffCommand): void {
  const watch = calendar
    .command('watch')
    .concerns('owner')
    .description('calendars elsewhere whose busy events close slots');

  const add = watch
    .command('add')
    .description('watch a calendar, and read it at once')
    .argument('<address>', 'its address in iCal format (https: or webcal:)')
    .option('--label <text>', 'how lists and mails call it (default: the host of the address)')
    .option('--anyway', 'watch it even if it cannot be read now');
  addArtistOption(add, 'close only the slots of this artist')
    .explain(`
Every slot that one of its busy events overlaps is closed; bookings stay. It is read every ten
minutes. The address is a secret: it is stored encrypted and never shown again. One that cannot be
read is not watched without --anyway: until it can be read, it closes nothing.

Examples:
  studio calendar watch add https://calendar.example.com/private/ada.ics
  studio calendar watch add webcal://calendar.example.com/private/ada.ics --label "Ada"`)
    .run((run, address: string, { label = null, anyway = false, artist }: AddOptions) =>
      withReader(run, async (services) => {
        const { artistId } = chosenArtist(run, { artist });
        const given = { address, label, evenIfUnreadable: anyway, artistId };
        const added = expectAdded(await addWatchedCalendar(services, run.actor, given));
        printFetch(run, 'added', added);
      }),
    );

  watch
    .command('list')
    .description('list watched calendars, when they were read, and what is wrong')
    .explain('\nExamples:\n  studio calendar watch list\n  studio calendar watch list --json')
    .run(async ({ services, names, at, print }) => {
      const calendars = await listWatchedCalendars(services);
      print(calendars.map(watchData(names)), () => watchTable(calendars, { names, at }));
    });

  watch
    .command('remove')
    .description('watch a calendar no longer: the slots that it closed open again')
    .withId()
    .explain('\nExample:\n  studio calendar watch remove 7c9e6679 --yes')
    .run(async ({ services, actor, names, confirm, print }, id: string) => {
      const found = await findCalendar(services, id);
      await confirm(`Watch ${found.label} no longer?`);
      const removed = await removeWatchedCalendar(services, actor, found.id);
      if (removed === null) throw noSuch(noun, id);
      print({ removed: watchData(names)(removed) }, () => [
        `Removed: ${removed.label} (${shortId(removed.id)}).`,
      ]);
    });

  watch
    .command('fetch')
    .description('read a calendar now, whether or not it is its turn')
    .withId()
    .explain('\nExample:\n  studio calendar watch fetch 7c9e6679')
    .run((run, id: string) =>
      withReader(run, async (services) => {
        const found = await findCalendar(services, id);
        const fetched = await fetchWatchedCalendar(services, found.id);
        if (fetched === null) throw noSuch(noun, id);
        printFetch(run, 'fetched', fetched);
      }),
    );

  addCheckCommand(watch);
}

function expectAdded(added: AddedWatch): WatchedCalendar {
  if (added.outcome === 'added') return added.calendar;
  if (added.outcome === 'refused') throw new StaffError('refused', added.message);
  if (added.outcome === 'unreadable') {
    const anyway = 'To watch it nevertheless, give --anyway.';
    throw new StaffError(
      'refused',
      `It is not watched, since it cannot be read: ${added.message} ${anyway}`,
    );
  }
  const { label, id } = added.calendar;
  throw new StaffError('refused', `This calendar is watched already: ${label} (${shortId(id)}).`);
}

async function findCalendar(services: StaffServices, id: string) {
  return onlyOne(await listWatchedCalendars(services), noun, id);
}

function printFetch(
  { names, at, print }: Run,
  done: 'added' | 'fetched',
  calendar: WatchedCalendar,
): void {
  const lines = facts([
    ['Calendar', `${calendar.label} at ${calendar.host} (${shortId(calendar.id)})`],
    ['Artist', names.cell(calendar.artist_id)[0] ?? null],
    ['Read', at(calendar.read_at) || 'never'],
    ['Busy', count(calendar.busyIntervals, 'interval')],
    ['Problem', problemOf(calendar)],
  ]);
  print({ [done]: watchData(names)(calendar) }, () => lines);
}

/** A watched calendar for `--json`. */
function watchData({ data }: ArtistNames) {
  return (calendar: WatchedCalendar) => ({
    id: calendar.id,
    label: calendar.label,
    host: calendar.host,
    created_at: calendar.created_at,
    read_at: calendar.read_at,
    busy_intervals: calendar.busyIntervals,
    failing_since: calendar.failing_since,
    last_error: calendar.last_error,
    last_status_code: calendar.last_status_code,
    empty_since: calendar.empty_since,
    unreadable: calendar.unreadable,
    problem: problemOf(calendar),
    ...data(calendar.artist_id),
  });
}

function watchTable(
  calendars: readonly WatchedCalendar[],
  { names, at }: Pick<Run, 'names' | 'at'>,
): string[] {
  return table(
    ['ID', 'LABEL', ...names.heading, 'HOST', 'READ', 'BUSY', 'FAILING SINCE', 'PROBLEM'],
    calendars.map((calendar) => [
      shortId(calendar.id),
      calendar.label,
      ...names.cell(calendar.artist_id),
      calendar.host,
      at(calendar.read_at) || 'never',
      String(calendar.busyIntervals),
      at(calendar.failing_since),
      problemOf(calendar) ?? '',
    ]),
    'No calendars are watched.',
  );
}

function problemOf(calendar: WatchedCalendar): string | null {
  const problems = calendarProblems(calendar);
  return problems.length === 0 ? null : problems.join(' ');
}
