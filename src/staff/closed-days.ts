import type { Command } from 'commander';
import type { BookingRow, ClosureRow } from '../database/schema.js';
import { maxCancellationReasonLength } from '../domain/cancellation.js';
import {
  type Choice,
  type Decided,
  type Decision,
  type DecisionRefusal,
  nearestTimes,
} from '../domain/closed-days.js';
import type { Closure } from '../schedule/calendar.js';
import { bookingLabel } from '../schedule/slot-label.js';
import type { Slot } from '../schedule/slots.js';
import { text } from './arguments.js';
import { bookingData, bookingTable, personName } from './booking-text.js';
import { type CommandContext, confirm, isInteractive } from './command-context.js';
import { StaffError } from './failure.js';
import type { StaffServices } from './session.js';
import { count, shortId, slotsText, table } from './text.js';

/** The options of commands that decide about bookings on closed days. */
export interface DecisionOptions {
  moveBookings?: true;
  askBookings?: true;
  cancelBookings?: true;
  keepBookings?: true;
  word?: string;
  yes?: true;
}

export function addDecisionOptions(command: Command): Command {
  return command
    .option('--move-bookings', 'move the bookings, each to its nearest free time')
    .option('--ask-bookings', 'ask the people to choose another time')
    .option('--cancel-bookings', 'cancel the bookings')
    .option('--keep-bookings', 'keep the bookings: you come in for them')
    .option(
      '--word <text>',
      `your words to the people, in every mail; at most ${maxCancellationReasonLength} characters`,
      text(maxCancellationReasonLength),
    )
    .option('-y, --yes', 'skip the question');
}

/** What the options say about all bookings; null if nothing. */
export function choiceForAll(options: DecisionOptions): Choice | null {
  const given: Choice[] = [
    ...(options.moveBookings === true ? ['move' as const] : []),
    ...(options.askBookings === true ? ['ask' as const] : []),
    ...(options.cancelBookings === true ? ['cancel' as const] : []),
    ...(options.keepBookings === true ? ['keep' as const] : []),
  ];
  if (given.length > 1) {
    throw new StaffError('usage', 'Give one of the options that end in -bookings.');
  }
  return given[0] ?? null;
}

const verbs: Record<Choice, string> = {
  move: 'Move',
  ask: 'Ask about',
  cancel: 'Cancel',
  keep: 'Keep',
};

/**
 * What becomes of bookings on closed days: what the options say, or on a terminal what is answered for
 * each. Elsewhere nothing is decided.
 */
export async function decisionsFor(
  commandContext: CommandContext,
  services: StaffServices,
  bookings: readonly BookingRow[],
  options: DecisionOptions,
  closure: Closure | null = null,
): Promise<Decision[]> {
  const choice = choiceForAll(options);
  if (bookings.length === 0 || (choice === null && !isInteractive(commandContext))) return [];
  const offers = await nearestTimes(services, bookings, closure);
  if (choice === null) return askForEach(commandContext, bookings, offers);
  const decisions = bookings.flatMap((booking) => decision(booking, choice, offers));
  if (!commandContext.wantsJson()) {
    commandContext.printError(decisionTable(bookings, decisions));
  }
  const question = `${verbs[choice]} ${count(decisions.length, 'booking')}?`;
  await confirm(commandContext, question, options.yes === true || choice === 'keep');
  return decisions;
}

/** Of one booking; none where it cannot be: no time is free, or nobody has confirmed it yet. */
function decision(
  { id, sequence, status }: BookingRow,
  choice: Choice,
  offers: ReadonlyMap<string, Slot>,
): Decision[] {
  const seen = { id, sequence };
  if (choice === 'move') {
    const to = offers.get(id);
    return to === undefined ? [] : [{ ...seen, choice, to }];
  }
  return choice === 'ask' && status !== 'confirmed' ? [] : [{ ...seen, choice }];
}

async function askForEach(
  commandContext: CommandContext,
  bookings: readonly BookingRow[],
  offers: ReadonlyMap<string, Slot>,
): Promise<Decision[]> {
  const { select } = await import('@inquirer/prompts');
  const { stdin, stderr } = commandContext.terminal;
  const decisions: Decision[] = [];
  for (const booking of bookings) {
    const choices = (['move', 'ask', 'cancel', 'keep'] as const).flatMap((choice) =>
      decision(booking, choice, offers).map((value) => ({ name: choiceText(value), value })),
    );
    const answer = await select<Decision | null>(
      {
        message: `${booking.label}, ${personName(booking)}`,
        choices: [...choices, { name: 'Decide later', value: null }],
      },
      { input: stdin, output: stderr, signal: commandContext.interrupted },
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
      return `Move to ${bookingLabel(chosen.to)}`;
    case 'ask':
      return 'Ask to choose another time';
    case 'cancel':
      return 'Cancel';
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
        ...[shortId(booking.id), booking.date, booking.time_slot, personName(booking)],
        chosen === undefined ? 'Not possible: decide later' : choiceText(chosen),
      ];
    }),
  );
}

const refusals: Record<DecisionRefusal, string> = {
  taken: 'refused: the time is taken',
  over: 'refused: the time is over',
  no_such_slot: 'refused: no such session',
  changed: 'refused: it has changed meanwhile',
  not_live: 'refused: no longer booked',
  not_confirmed: 'refused: it is only held',
  begun: 'refused: it has begun',
};

/** What became of each decision, one per line. */
export function decidedLines(decided: readonly Decided[]): string[] {
  if (decided.length === 0) return [];
  return table(
    ['ID', 'NAME', 'WHAT', 'RESULT'],
    decided.map(({ decision: chosen, booking, outcome }) => [
      shortId(booking.id),
      personName(booking),
      choiceText(chosen),
      outcome === 'done' ? 'done' : refusals[outcome],
    ]),
  );
}

/** The same, for `--json`. */
export function decidedData(services: StaffServices, decided: readonly Decided[]) {
  return decided.map(({ decision: { choice }, booking, outcome }) => ({
    choice,
    outcome,
    booking: bookingData(services)(booking),
  }));
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

export function closureText({ from_date, to_date, time_slot }: ClosureRow): string {
  return slotsText(from_date, to_date, time_slot);
}

export function closureData({ id, from_date, to_date, time_slot, reason, created_at }: ClosureRow) {
  return { id, from: from_date, to: to_date, time_slot, reason, created_at };
}
