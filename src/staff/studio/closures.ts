import type { TimeSlot } from '../../../generated/schemas.js';
import type { ClosedHours, NewClosure } from '../../database/rows/results.js';
import type { ClosureRow } from '../../database/rows/schema.js';
import { decide, readOpenQuestions } from '../../domain/studio/closed-days.js';
import {
  addClosure,
  type ClosureMistakes,
  findClosureMistakes,
  maxClosureReasonLength,
  readClosures,
  removeClosure,
} from '../../domain/studio/closures.js';
import { studioToday } from '../../domain/studio/settings.js';
import { date, hours, idPrefix, text, timeSlot } from '../arguments.js';
import type { ArtistNames } from '../artist-names.js';
import type { Run, StaffCommand } from '../command.js';
import { noSuch, onlyOne, StaffError } from '../failure.js';
import { closedText, shortId, table } from '../text.js';
import { bookingData, bookingTable } from './booking-text.js';
import {
  aboutLines,
  addDecisionOptions,
  askAbout,
  choiceForAll,
  decidedData,
  decidedLines,
  decisionsFor,
  type DecisionOptions,
  undecidedLines,
} from './closed-days.js';
import { addClosureImportCommand } from './import/closures.js';
import { addArtistOption, type ArtistOption, chosenArtist } from './named-artists.js';

interface AddOptions extends DecisionOptions, ArtistOption {
  slot?: TimeSlot | null;
  hours?: ClosedHours | null;
  reason?: string;
}

const today = 'today';

export function addClosureCommands(program: StaffCommand): void {
  const closures = program
    .command('closures')
    .concerns('artist')
    .description('dates, single sessions or hours that cannot be booked');

  const add = closures
    .command('add')
    .description('close a date or a range of dates, one session on each of them, or hours of one')
    .argument('<from>', 'the first date, such as 2026-12-24, or today', dateOrToday)
    .argument('[to]', 'the last date, if it is a range', date)
    .option('--slot <session>', 'only this session, such as "1:00 PM"', timeSlot)
    .option('--hours <from-to>', 'only these hours of the date, such as 13:00-15:00', hours)
    .option(
      '--reason <text>',
      'the reason, which only the studio can read, but for --cancel-bookings',
      text(maxClosureReasonLength),
    );
  addDecisionOptions(addArtistOption(add, 'only the sessions of this artist'))
    .explain(`
With --hours, every session that they overlap is closed.

What becomes of bookings on closed dates: an option says it for all; without one, a terminal asks for
each. With --yes, or where there is none to ask on, they stay, undecided: nobody is reminded of them,
and you get a mail. The words of --word are in every mail to a person; with --cancel-bookings those of --reason,
unless there is a --word.

Examples:
  studio closures add 2026-12-24 --reason "Holiday"
  studio closures add 2026-12-24 2027-01-01 --reason "Away"
  studio closures add 2026-12-05 --slot "1:00 PM"
  studio closures add 2026-12-03 --hours 13:00-15:00 --artist jon --reason "Dentist"
  studio closures add today --artist mara --move-bookings --word "Mara is ill."
  studio closures add today --ask-bookings --word "I am ill; please choose another time." --yes
  studio closures add 2026-12-05 --cancel-bookings --reason "The studio is flooded." --yes`)
    .check((from: string, to: string | undefined, options: AddOptions) => {
      choiceForAll(options);
      if (from !== today) refuseMistakes(findClosureMistakes(closureOf(from, to, options)));
    })
    .run(closeSlots);

  addClosureImportCommand(closures);

  const decideCommand = closures
    .command('decide')
    .description('list the sessions on closed days, and decide what becomes of them')
    .argument('[id]', 'only this booking: its id, or the first characters of it', idPrefix);
  addDecisionOptions(addArtistOption(decideCommand, 'only the sessions of this artist'))
    .explain(`
Without an option, a terminal asks for each, and elsewhere they are only listed. A session whose
person is asked to choose another time is listed until the person moves it or you decide otherwise.

Examples:
  studio closures decide
  studio closures decide 0b9b64f5 --keep-bookings
  studio closures decide --artist jon
  studio closures decide --cancel-bookings --word "I am ill, and sorry." --yes`)
    .run(decideOpen);

  closures
    .command('list')
    .description('list closures from today on')
    .option('--all', 'also past closures')
    .explain('\nExamples:\n  studio closures list\n  studio closures list --all --json')
    .run(async ({ services, names, print }, { all }: { all?: true }) => {
      const rows = await readClosures(services, { past: all === true });
      const cells = rows.map((row) => [
        ...[shortId(row.id), closedText(row)],
        ...names.cell(row.artist_id),
        row.reason,
      ]);
      print(rows.map(closureData(names)), () =>
        table(['ID', 'CLOSED', ...names.heading, 'REASON'], cells, 'No closures.'),
      );
    });

  closures
    .command('remove')
    .description('remove a closure, so that its dates can be booked again')
    .withId()
    .explain('\nExample:\n  studio closures remove 3f2a81c0 --yes')
    .run(async ({ services, actor, names, confirm, print }, id: string) => {
      const closure = onlyOne(await readClosures(services, { past: true }), 'closure', id);
      const words = closureText(names, closure);
      await confirm(`Open ${words} again?`);
      const removed = await removeClosure(services, actor, closure.id);
      if (removed === null) throw noSuch('closure', id);
      print({ removed: closureData(names)(removed) }, () => [`Removed: ${words}.`]);
    });
}

function dateOrToday(given: string): string {
  return given === today ? given : date(given);
}

function closureOf(
  fromDate: string,
  to: string | undefined,
  { slot: timeSlot = null, hours = null, reason = '' }: AddOptions,
): NewClosure {
  return { fromDate, toDate: to ?? fromDate, timeSlot, hours, reason };
}

function refuseMistakes(mistakes: ClosureMistakes): void {
  const [first] = Object.values(mistakes);
  if (first !== undefined) throw new StaffError('usage', first);
}

async function closeSlots(
  run: Run,
  from: string,
  to: string | undefined,
  options: AddOptions,
): Promise<void> {
  const { services, actor, names, print } = run;
  const { cancelBookings, reason = '' } = options;
  const said = cancelBookings && reason !== '' ? { word: reason, ...options } : options;
  const { artistId } = chosenArtist(run, options);
  const first = from === today ? await studioToday(services) : from;
  const closure = { ...closureOf(first, to, options), artistId };
  const deciding = await askAbout(run, said, closure);
  const outcome = await addClosure(services, actor, closure, deciding);
  if (outcome.outcome === 'refused') return refuseMistakes(outcome.mistakes);
  const { decided, met } = outcome;
  const name = `${closureText(names, outcome.closure)} (${shortId(outcome.closure.id)})`;
  if (outcome.outcome === 'exists' && decided.length === 0) {
    throw new StaffError('refused', `Already closed: ${name}.`);
  }
  print(
    {
      closure: closureData(names)(outcome.closure),
      bookings_met: met.map(bookingData(services)),
      bookings_cancelled: decided
        .filter((each) => each.decision.choice === 'cancel' && each.outcome === 'done')
        .map(({ booking }) => bookingData(services)(booking)),
      decided: decidedData(services, decided),
    },
    () => [
      `${outcome.outcome === 'exists' ? 'Already closed' : 'Closed'}: ${name}.`,
      ...aboutLines(services, outcome),
    ],
  );
}

async function decideOpen(
  run: Run,
  id: string | undefined,
  options: DecisionOptions & ArtistOption,
): Promise<void> {
  const { services, actor, names, print } = run;
  const { artistId } = chosenArtist(run, options);
  const { undecided, asked } = await readOpenQuestions(services, artistId);
  const open =
    id === undefined
      ? undecided
      : [onlyOne([...undecided, ...asked], 'session on a closed day', id)];
  const decisions = await decisionsFor(run, open, options);
  const decided = await decide(services, actor, decisions, { word: options.word ?? null });
  const left = await readOpenQuestions(services, artistId);
  print(
    {
      decided: decidedData(services, decided),
      undecided: left.undecided.map(bookingData(services)),
      asked: left.asked.map(bookingData(services)),
    },
    () => [
      ...decidedLines(decided),
      ...(left.undecided.length === 0
        ? [`No session${names.words(artistId)} on a closed day is undecided.`]
        : undecidedLines(services, left.undecided)),
      ...(left.asked.length === 0
        ? []
        : ['Asked to choose another time:', ...bookingTable(services, left.asked)]),
    ],
  );
}

function closureText({ words }: ArtistNames, closure: ClosureRow): string {
  return `${closedText(closure)}${words(closure.artist_id)}`;
}

function closureData({ data }: ArtistNames) {
  return (closure: ClosureRow) => ({
    ...{ id: closure.id, from: closure.from_date, to: closure.to_date },
    ...{ time_slot: closure.time_slot, from_time: closure.from_time, to_time: closure.to_time },
    ...{ reason: closure.reason, created_at: closure.created_at },
    ...data(closure.artist_id),
  });
}
