import type { ListedBooking } from '../../domain/studio/booking-record.js';
import type { Choice, Decision, Offer } from '../../domain/studio/closed-days.js';
import { slotKey } from '../../schedule/slots.js';
import { choice, readSlotKey } from '../../web/forms.js';

/** The fields of `Decisions`, as they are posted. */

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

/** The value of the button that chooses the same for all bookings of a form. */
export const choiceForAll = choice(...shownChoices);

const fieldPrefix = 'choice-';

/** The prefix of a choice that a form repeats, but does not show: it decides nothing. */
const carriedPrefix = 'carried-';

const uuidPattern = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** The schema of the fields of `Decisions`, one for each booking, and of `carriedFields`. */
export const decisionFields = {
  patternProperties: {
    [`^${fieldPrefix}${uuidPattern}$`]: {
      type: 'string',
      pattern: `^(${shownChoices.join('|')}) \\d{1,9}( [\\w-]{10} [\\w: ]{7,8}( \\d{1,6})?)?$`,
    },
    [`^${carriedPrefix}${uuidPattern}$`]: choiceForAll,
  },
};

/** The choices of a form, by booking id. */
export type PostedChoices = ReadonlyMap<string, { choice: ShownChoice; decision: Decision | null }>;

/** Reads the fields of `Decisions`. */
export function readDecisions(posted: object): PostedChoices {
  const fields = Object.entries(posted).filter(([name]) => name.startsWith(fieldPrefix));
  return new Map(
    fields.map(([name, value]) => {
      const id = name.slice(fieldPrefix.length);
      const [choice, sequence, ...offer] = String(value).split(' ');
      const chosen = choice as ShownChoice;
      const seen = { id, sequence: Number(sequence) };
      return [id, { choice: chosen, decision: decisionOf(seen, chosen, offer) }];
    }),
  );
}

/** The choices of a form that does not show the bookings, by id. */
export function readCarried(posted: object): ReadonlyMap<string, ShownChoice> {
  const fields = Object.entries(posted).filter(([name]) => name.startsWith(carriedPrefix));
  return new Map(fields.map(([name, value]) => [name.slice(carriedPrefix.length), value]));
}

/** The fields that `readCarried` reads. */
export function carriedFields(chosen: ReadonlyMap<string, ShownChoice>): Record<string, string> {
  return Object.fromEntries([...chosen].map(([id, each]) => [`${carriedPrefix}${id}`, each]));
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

/** The value that `readDecisions` reads; it has an artist only if they have a name. */
export function choiceValue(
  choice: ShownChoice,
  sequence: number,
  offer: Offer | undefined,
): string {
  if (offer === undefined) return `${choice} ${sequence}`;
  const artist = offer.artistName === null ? [] : [offer.artistId];
  return [choice, sequence, slotKey(offer), ...artist].join(' ');
}
