import { type TProperties, Type } from '@sinclair/typebox';
import type { ListedBooking } from '../../domain/studio/booking-record.js';
import { maxCancellationReasonLength } from '../../domain/studio/cancellation.js';
import type { Choice, Decision, Offer } from '../../domain/studio/closed-days.js';
import { slotKey } from '../../schedule/slots.js';
import { choice, readSlotKey, text } from '../../web/forms.js';

/**
 * What a form says about a booking: `move` takes its first offer, `nearest` its second, `own` the next time
 * of its artist, `later` decides nothing.
 */
export type ShownChoice = Choice | Moving | 'later';

/** The choices that move a booking, each to an offer of its own. */
export const movingChoices = ['move', 'nearest', 'own'] as const;

type Moving = (typeof movingChoices)[number];

export function isMoving(choice: ShownChoice): choice is Moving {
  return movingChoices.includes(choice as Moving);
}

export const shownChoices = [...movingChoices, 'ask', 'cancel', 'keep', 'later'] as const;

const fieldPrefix = 'choice-';

const uuidPattern = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** The schema of a form with the fields of `Decisions`, or of `repeatedChoices`, for each booking. */
export function asking<Fields extends TProperties>(fields: Fields) {
  const answers = { word: Type.Optional(text), all: Type.Optional(choice(...shownChoices)) };
  const patternProperties = {
    [`^${fieldPrefix}${uuidPattern}$`]: {
      type: 'string',
      pattern: `^(${shownChoices.join('|')})( \\d{1,9}( [\\w-]{10} [\\w: ]{7,8}( \\d{1,6})?)?)?$`,
    },
  };
  return { body: Type.Object({ ...fields, ...answers }, { patternProperties }) };
}

/** What a form says about bookings on days that close. */
export interface Answers {
  /** By booking id, also where the form only repeats it. */
  choices: ReadonlyMap<string, ShownChoice>;
  /** The bookings that the form has shown. */
  shown: ReadonlySet<string>;
  /** For the domain. */
  options: { decisions: readonly Decision[]; word: string | null };
  /** The choice of the pressed button for all bookings, also new ones; null if another was pressed. */
  all: ShownChoice | null;
  word: string;
  wordMistake: string | undefined;
}

/** The form of `asking`. */
export interface PostedAnswers {
  word?: string;
  all?: ShownChoice;
}

/** Reads the fields of `Decisions`. */
export function readAnswers(posted: PostedAnswers): Answers {
  const { all = null } = posted;
  const word = posted.word?.trim() ?? '';
  const choices = new Map<string, ShownChoice>();
  const shown = new Set<string>();
  const decisions: Decision[] = [];
  for (const [name, value = ''] of Object.entries<string | undefined>({ ...posted })) {
    if (!name.startsWith(fieldPrefix)) continue;
    const id = name.slice(fieldPrefix.length);
    const [chosen, sequence, ...offer] = value.split(' ') as [ShownChoice, ...string[]];
    choices.set(id, all ?? chosen);
    if (sequence === undefined) continue;
    shown.add(id);
    const decision = decisionOf({ id, sequence: Number(sequence) }, chosen, offer);
    if (decision !== null) decisions.push(decision);
  }
  const options = { decisions, word: word || null };
  return { choices, shown, options, all, word, wordMistake: wordMistakeOf(word) };
}

/** What is wrong with the words to the people; undefined if nothing. */
export function wordMistakeOf(word: string): string | undefined {
  const { length } = [...word];
  return length > maxCancellationReasonLength
    ? `It can have at most ${maxCancellationReasonLength} characters; there are ${length}.`
    : undefined;
}

/** The fields of a form that does not show the bookings: they keep the choices, and decide nothing. */
export function repeatedChoices({ choices }: Answers): Record<string, string> {
  return Object.fromEntries([...choices].map(([id, each]) => [choiceField(id), each]));
}

function decisionOf(
  seen: ListedBooking,
  choice: ShownChoice,
  [date, time, half, artistId]: readonly string[],
): Decision | null {
  if (choice === 'later') return null;
  if (!isMoving(choice)) return { ...seen, choice };
  const slot = readSlotKey([date, time, half].join(' '));
  const artist = artistId === undefined ? {} : { artistId: Number(artistId) };
  return slot && { ...seen, choice: 'move', to: { ...slot, ...artist } };
}

export function choiceField(id: string): string {
  return `${fieldPrefix}${id}`;
}

/** The value that `readAnswers` reads; it has an artist only if they have a name. */
export function choiceValue(
  choice: ShownChoice,
  sequence: number,
  offer: Offer | undefined,
): string {
  if (offer === undefined) return `${choice} ${sequence}`;
  const artist = offer.artistName === null ? [] : [offer.artistId];
  return [choice, sequence, slotKey(offer), ...artist].join(' ');
}
