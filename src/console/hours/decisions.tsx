import type { ComponentChildren, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { BookingRow } from '../../database/schema.js';
import type { ListedBooking } from '../../domain/booking-record.js';
import { maxCancellationReasonLength } from '../../domain/cancellation.js';
import {
  type Choice,
  type Decided,
  type Decision,
  type Offer,
  refusalWords,
} from '../../domain/closed-days.js';
import { slotKey } from '../../schedule/slots.js';
import { type Session, sessionOf } from '../../schedule/words.js';
import { Field } from '../../web/field.js';
import { choice, readSlotKey } from '../../web/forms.js';
import { PersonLink, PhoneLink } from '../bookings/words.js';
import { DayAndHours, ShortDayAndHours, PageContext } from '../moment.js';

/** What a form says about a booking; `later` decides nothing. */
export type ShownChoice = Choice | 'later';

const shownChoices = ['move', 'ask', 'cancel', 'keep', 'later'] as const;

/** The value of the button that chooses the same for all bookings of a form. */
export const choiceForAll = choice(...shownChoices);

const fieldPrefix = 'choice-';

/** Of a choice that a form repeats, but does not show: it decides nothing. */
const carriedPrefix = 'carried-';

const uuidPattern = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** The schema of the fields of `Decisions`, one for each booking, and of `carriedFields`. */
export const decisionFields = {
  patternProperties: {
    [`^${fieldPrefix}${uuidPattern}$`]: {
      type: 'string',
      pattern: `^(${shownChoices.join('|')}) \\d{1,9}( [\\w-]{10} [\\w: ]{7,8})?$`,
    },
    [`^${carriedPrefix}${uuidPattern}$`]: choiceForAll,
  },
};

/** What a form says about each of its bookings, by id. */
export type PostedChoices = ReadonlyMap<string, { choice: ShownChoice; decision: Decision | null }>;

/** Reads the fields of `Decisions`. */
export function readDecisions(posted: object): PostedChoices {
  const fields = Object.entries(posted).filter(([name]) => name.startsWith(fieldPrefix));
  return new Map(
    fields.map(([name, value]) => {
      const id = name.slice(fieldPrefix.length);
      const [choice, sequence, ...slot] = String(value).split(' ');
      const chosen = choice as ShownChoice;
      const seen = { id, sequence: Number(sequence) };
      return [id, { choice: chosen, decision: decisionOf(seen, chosen, slot.join(' ')) }];
    }),
  );
}

/** What was chosen for each booking by a form that does not show the bookings, by id. */
export function readCarried(posted: object): ReadonlyMap<string, ShownChoice> {
  const fields = Object.entries(posted).filter(([name]) => name.startsWith(carriedPrefix));
  return new Map(fields.map(([name, value]) => [name.slice(carriedPrefix.length), value]));
}

/** The fields that `readCarried` reads. */
export function carriedFields(chosen: ReadonlyMap<string, ShownChoice>): Record<string, string> {
  return Object.fromEntries([...chosen].map(([id, each]) => [`${carriedPrefix}${id}`, each]));
}

function decisionOf(seen: ListedBooking, choice: ShownChoice, slot: string): Decision | null {
  if (choice === 'later') return null;
  if (choice !== 'move') return { ...seen, choice };
  const to = readSlotKey(slot);
  return to && { ...seen, choice, to };
}

export interface DecisionsProps {
  bookings: readonly BookingRow[];
  /** Where each could go, the best first, by id. */
  offers: ReadonlyMap<string, readonly Offer[]>;
  /** What is chosen for a booking. */
  chosen: (booking: BookingRow) => ShownChoice;
  /** The studio's words to the people, as they were typed. */
  word: string;
  wordMistake?: string | undefined;
}

/** The fields that decide what becomes of bookings on closed days. */
export function Decisions(props: DecisionsProps): VNode {
  const { bookings, word, wordMistake } = props;
  return (
    <div class="decisions">
      {bookings.length > 1 && (
        <p class="for-all">
          <span class="muted">For all:</span>
          {shownChoices.map((each) => (
            <button key={each} class="quiet small" name="all" value={each}>
              {wordsForAll[each]}
            </button>
          ))}
        </p>
      )}
      {bookings.map((booking) => (
        <DecisionField key={booking.id} booking={booking} {...props} />
      ))}
      <WordField value={word} mistake={wordMistake} />
    </div>
  );
}

/** The studio's words to the people. */
export function WordField(props: { value: string; mistake?: string | undefined }): VNode {
  return (
    <Field
      name="word"
      label="A word to all of them"
      hint={`It is in every mail: “I am ill; please choose another time.” At most ${maxCancellationReasonLength} characters.`}
      optional
      rows={3}
      {...props}
    />
  );
}

function DecisionField({
  booking,
  offers,
  chosen,
}: DecisionsProps & { booking: BookingRow }): VNode {
  const { id, sequence, phone, email, status } = booking;
  const offer = offers.get(id)?.[0] ?? null;
  const isMailed = useContext(PageContext).hasMail && email !== null;
  const possible = shownChoices.filter((each) => {
    if (each === 'move') return offer !== null;
    return each !== 'ask' || (status === 'confirmed' && !isAsked(booking));
  });
  const wanted = chosen(booking);
  const checked = possible.includes(wanted) ? wanted : 'later';
  return (
    <fieldset>
      <legend>
        <DayAndHours of={sessionOf(booking)} />
      </legend>
      <p>
        <PersonLink booking={booking} />
        <span class="muted">
          {status === 'pending' && ' · held'}
          {isAsked(booking) && ' · asked to choose another time'}
          {phone !== null && (
            <>
              {' · '}
              <PhoneLink phone={phone} />
            </>
          )}
          {!isMailed && status === 'confirmed' && ' · gets no mail: please call'}
        </span>
      </p>
      <div class="ticks">
        {possible.map((each) => (
          <label key={each} class="tick">
            <input
              type="radio"
              name={`${fieldPrefix}${id}`}
              value={[
                each,
                sequence,
                ...(each === 'move' && offer !== null ? [slotKey(offer)] : []),
              ].join(' ')}
              checked={each === checked}
            />
            {choiceWords(each, booking, offer)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function isAsked({ closed_day_choice }: BookingRow): boolean {
  return closed_day_choice === 'asked';
}

const wordsForAll: Record<ShownChoice, string> = {
  move: 'Move',
  ask: 'Ask',
  cancel: 'Cancel',
  keep: 'Keep',
  later: 'Later',
};

function choiceWords(
  each: ShownChoice,
  booking: BookingRow,
  offer: Session | null,
): ComponentChildren {
  switch (each) {
    case 'move':
      if (offer === null) return 'Move';
      return (
        <>
          Move to <ShortDayAndHours of={offer} />
        </>
      );
    case 'ask':
      return 'Ask to choose another time';
    case 'cancel':
      return 'Cancel';
    case 'keep':
      return 'I come in for this one';
    case 'later':
      return isAsked(booking) ? 'Wait for the person' : 'Decide later';
  }
}

/** How each decision ended. */
export function DecidedList({ decided }: { decided: readonly Decided[] }): VNode {
  return (
    <ul class="booking-lines">
      {decided.map(({ decision, booking, outcome }) => (
        <li key={booking.id}>
          <PersonLink booking={booking} />
          {': '}
          {choiceWords(decision.choice, booking, decision.choice === 'move' ? decision.to : null)}
          {': '}
          {outcome === 'done' ? (
            <strong>done</strong>
          ) : (
            <span class="warned">
              not done, {refusalWords[outcome]}; still <DayAndHours of={sessionOf(booking)} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Null unless some were refused. */
export function refusedWords(decided: readonly Decided[]): string | null {
  const refused = decided.filter(({ outcome }) => outcome !== 'done').length;
  if (refused === 0) return null;
  const others = refused < decided.length ? ' The others are.' : '';
  return `${refused} of ${decided.length} could not be done.${others}`;
}

/** What is wrong with the words to the people; undefined if nothing. */
export function wordMistakeOf(word: string): string | undefined {
  const { length } = [...word];
  return length > maxCancellationReasonLength
    ? `It can have at most ${maxCancellationReasonLength} characters; there are ${length}.`
    : undefined;
}
