import type { BookingRow } from '../../database/rows/schema.js';
import { maxCancellationReasonLength } from '../../domain/studio/cancellation.js';
import {
  type Choice,
  type ClosureToAdd,
  type Decided,
  type Decision,
  nearestTimes,
  type Offer,
  refusalWords,
} from '../../domain/studio/closed-days.js';
import {
  type DecidedAbout,
  type DecidingOptions,
  isUndecided,
  readBookingsToClose,
} from '../../domain/studio/closures.js';
import { choiceWords, personName } from '../../domain/studio/words.js';
import { bookingLabel, labelWith } from '../../schedule/words.js';
import { text } from '../arguments.js';
import { type CommandContext, isInteractive } from '../command-context.js';
import type { Run, StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import type { StaffServices } from '../session.js';
import { count, printable, shortId, table } from '../text.js';
import { bookingData, bookingTable, timesOf } from './booking-text.js';

/** The options of commands that decide about bookings on closed days. */
export interface DecisionOptions {
  moveBookings?: true;
  askBookings?: true;
  cancelBookings?: true;
  keepBookings?: true;
  word?: string;
}

export function addDecisionOptions(command: StaffCommand): StaffCommand {
  return command
    .option('--move-bookings', 'move the bookings, each to its nearest free time')
    .option('--ask-bookings', 'ask the people to choose another time')
    .option('--cancel-bookings', 'cancel the bookings')
    .option('--keep-bookings', 'keep the bookings: you come in for them')
    .option(
      '--word <text>',
      `your words to the people, in every mail; at most ${maxCancellationReasonLength} characters`,
      text(maxCancellationReasonLength),
    );
}

/** The choice of the options for all bookings; null if there is none. */
export function choiceForAll(options: DecisionOptions): Choice | null {
  const given = choices.filter((choice) => options[`${choice}Bookings`] === true);
  if (given.length > 1) {
    throw new StaffError('usage', 'Give one of the options that end in -bookings.');
  }
  return given[0] ?? null;
}

const choices = ['move', 'ask', 'cancel', 'keep'] as const;

/** The verbs of the question; keeping needs none. */
const verbs = { move: 'Move', ask: 'Ask about', cancel: 'Cancel' } as const;

/**
 * Asks what becomes of the live bookings in slots that a command closes; null: it closes none.
 * `undecided`: the words of a question before they stay undecided.
 */
export async function askAbout(
  run: Run,
  options: DecisionOptions,
  closure: ClosureToAdd | null,
  undecided?: string,
): Promise<DecidingOptions> {
  const choice = choiceForAll(options);
  const live = closure === null ? [] : await readBookingsToClose(run.services, closure);
  const decisions = await decisionsFor(run, live, options, closure ?? undefined);
  const open = live.length - decisions.length;
  if (undecided !== undefined && choice === null && open > 0) {
    await run.confirm(`${count(open, 'booking')} ${undecided} would stay undecided. Go on?`);
  }
  // Without questions, the choice is for every booking.
  const others = run.isSure && choice !== 'move' && choice !== null ? choice : undefined;
  return { decisions, others, word: options.word ?? null };
}

/**
 * The decisions about bookings on closed days: by the options, or on a terminal by the answers for each.
 * Elsewhere, and where the question is skipped, nothing is decided. `closure`: one that is not added yet.
 */
export async function decisionsFor(
  { context, services, mode, isSure, confirm }: Run,
  bookings: readonly BookingRow[],
  options: DecisionOptions,
  closure?: ClosureToAdd,
): Promise<Decision[]> {
  const choice = choiceForAll(options);
  const isAsking = isInteractive(context) && !isSure;
  if (bookings.length === 0 || (choice === null && !isAsking)) return [];
  if (choice !== 'keep' && !mode.mail && !context.wantsJson()) {
    context.printError(['Mail is off: no person gets a mail. Please call them.']);
  }
  const offers = await nearestTimes(services, bookings, closure);
  if (choice === null) return askForEach(context, bookings, offers);
  const decisions = bookings.flatMap((booking) =>
    possibleDecisions(booking, choice, offers).slice(0, 1),
  );
  if (!context.wantsJson()) {
    context.printError(decisionTable(bookings, decisions));
    if (options.word) context.printError([`In every mail to a person: ${options.word}`]);
  }
  if (choice !== 'keep' && decisions.length > 0) {
    await confirm(`${verbs[choice]} ${count(decisions.length, 'booking')}?`);
  }
  return decisions;
}

/**
 * The decisions that are possible for one booking, the best first. It cannot be moved if no time is free,
 * or nobody has confirmed it yet.
 */
function possibleDecisions(
  { id, sequence, status }: BookingRow,
  choice: Choice,
  offers: ReadonlyMap<string, readonly Offer[]>,
): Decision[] {
  const seen = { id, sequence };
  if (choice === 'move') return (offers.get(id) ?? []).map((to) => ({ ...seen, choice, to }));
  return choice === 'ask' && status !== 'confirmed' ? [] : [{ ...seen, choice }];
}

async function askForEach(
  { stdin, stderr, interrupted }: CommandContext,
  bookings: readonly BookingRow[],
  offers: ReadonlyMap<string, readonly Offer[]>,
): Promise<Decision[]> {
  const { select } = await import('@inquirer/prompts');
  const decisions: Decision[] = [];
  for (const booking of bookings) {
    const possible = choices.flatMap((choice) =>
      possibleDecisions(booking, choice, offers).map((value) => ({
        name: choiceText(value),
        value,
      })),
    );
    const answer = await select<Decision | null>(
      {
        message: printable(`${booking.label}, ${personName(booking)}`),
        choices: [...possible, { name: choiceWords.later, value: null }],
      },
      { input: stdin, output: stderr, signal: interrupted },
    ).catch(() => {
      throw new StaffError('refused', 'Nothing was changed.');
    });
    if (answer !== null) decisions.push(answer);
  }
  return decisions;
}

function choiceText(chosen: Decision): string {
  switch (chosen.choice) {
    case 'move':
      return `Move to ${labelWith(bookingLabel(chosen.to), chosen.to.artistName ?? null)}`;
    case 'ask':
    case 'cancel':
      return choiceWords[chosen.choice];
    case 'keep':
      return 'Keep: you come in for it';
  }
}

function decisionTable(bookings: readonly BookingRow[], decisions: readonly Decision[]): string[] {
  return table(
    ['ID', 'DATE', 'SESSION', 'NAME', 'WHAT'],
    bookings.map((booking) => {
      const chosen = decisions.find(({ id }) => id === booking.id);
      return [
        ...[shortId(booking.id), booking.date, timesOf(booking).session, personName(booking)],
        chosen === undefined ? 'Not possible: decide later' : choiceText(chosen),
      ];
    }),
  );
}

/** The outcome of each decision, one per line. */
export function decidedLines(decided: readonly Decided[]): string[] {
  if (decided.length === 0) return [];
  return table(
    ['ID', 'NAME', 'WHAT', 'RESULT'],
    decided.map(({ decision: chosen, booking, outcome }) => [
      shortId(booking.id),
      personName(booking),
      choiceText(chosen),
      outcome === 'done' ? 'done' : `refused: ${refusalWords[outcome]}`,
    ]),
  );
}

/** The outcomes for `--json`. */
export function decidedData(services: StaffServices, decided: readonly Decided[]) {
  return decided.map(({ decision: { choice }, booking, outcome }) => ({
    choice,
    outcome,
    booking: bookingData(services)(booking),
  }));
}

/** How the decisions ended, and what is undecided. */
export function aboutLines(services: StaffServices, { decided, met }: DecidedAbout): string[] {
  return [...decidedLines(decided), ...undecidedLines(services, met.filter(isUndecided))];
}

export function undecidedLines(
  services: StaffServices,
  undecided: readonly BookingRow[],
): string[] {
  if (undecided.length === 0) return [];
  return [
    `Undecided, and not reminded until you decide ("studio closures decide"): ${count(undecided.length, 'booking')}`,
    ...bookingTable(services, undecided),
  ];
}
