import { InvalidArgumentError } from 'commander';
import { bare, isCancelling } from './headings.js';

export type StatusAnswer = 'booked' | 'skip';

/** The studio's answers about unknown words, by their folded form. */
export type StatusAnswers = ReadonlyMap<string, StatusAnswer>;

const booked = 'confirmed accepted approved booked scheduled active paid arrived'.split(' ');
/** Words that change nothing beside one of these: `Deposit paid`, `Paid in full`. */
const beside = 'appointment booking deposit fully in full'.split(' ');
const isCancelled = /^(?:cancell?ed|declined|rejected|deleted|expired|tentative|no ?shows?)$/;
const negations = ['not', 'no', 'never'];
const notCancelled = ['', 'no', 'false', '0', 'n', 'f'];

/**
 * A text in lower case, without punctuation but question marks; other punctuation alone stays, but for
 * its dashes.
 */
function folded(text: string): string {
  const words = text.toLowerCase().replace(/(?:(?!\?)[\s\p{P}])+/gu, ' ');
  return words.trim() || text.replace(/[\s\p{Pd}]/gu, '');
}

/** Parses `Storniert=skip` or `Vorgemerkt=booked`, and adds it to `before`. */
export function statusAnswer(text: string, before: StatusAnswers = new Map()): StatusAnswers {
  const [, word = '', answer] = /^(.+)=\s*(booked|skip)\s*$/is.exec(text) ?? [];
  if (answer === undefined) {
    throw new InvalidArgumentError('Give a word and booked or skip, such as "Storniert=skip".');
  }
  return new Map([...before, [folded(word), answer.toLowerCase() as StatusAnswer]]);
}

/** English, and what the pages' other languages say, in which a word may be a name. */
const cancelledTitle =
  /^[\s\p{P}\p{S}]*(?:(?:cancell?ed|declined)\b|(?:abgesagt|storniert|annulée?|anulad[ao]|cancelad[ao])\s*[:\])])/iu;

/** Whether a title begins as calendars write that its event is cancelled: `Canceled: Half day`. */
export function isCancelledTitle(title: string): boolean {
  return cancelledTitle.test(title.normalize());
}

/** The status in a cell of states; null if it is unknown. */
export function readStatus(
  cell: string,
  heading: string,
  answers: StatusAnswers,
): StatusAnswer | null {
  const text = folded(cell);
  const answer = answers.get(text);
  if (answer !== undefined) return answer;
  if (isCancelling(heading)) return notCancelled.includes(text) ? 'booked' : 'skip';
  // Cal.com's "Insights" say only whether a session is over.
  if (bare(heading) === 'timestatus' && text === 'uncompleted') return 'booked';
  if (bare(heading) === 'timestatus' && text === 'completed') return 'skip';
  const words = text.split(' ');
  const isBooked = words.some((word) => booked.includes(word));
  if (text === '') return 'booked';
  if (isBooked && words.every((word) => [...booked, ...beside].includes(word))) return 'booked';
  const isOff = words.some((word) => /^cancell?ed$/.test(word) && !isBooked);
  const isNegated = words.some((word) => negations.includes(word));
  return isCancelled.test(text) || (isOff && !isNegated) ? 'skip' : null;
}
