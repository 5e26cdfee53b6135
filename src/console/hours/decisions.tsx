import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { BookingRow } from '../../database/rows/schema.js';
import { maxCancellationReasonLength } from '../../domain/studio/cancellation.js';
import { type Decided, type Offer, refusalWords } from '../../domain/studio/closed-days.js';
import { choiceWords } from '../../domain/studio/words.js';
import type { SlotOfArtist } from '../../schedule/artists.js';
import { sessionOf } from '../../schedule/times.js';
import { Field } from '../../web/field.js';
import { PersonLink, PhoneLink } from '../bookings/words.js';
import { DayAndHours, ShortDayAndHours, PageContext } from '../moment.js';
import {
  type Answers,
  choiceField,
  choiceValue,
  isMoving,
  movingChoices,
  type ShownChoice,
  shownChoices,
} from './decision-fields.js';

export interface DecisionsProps {
  bookings: readonly BookingRow[];
  /** The slots to which each booking can be moved, by id, the best first. */
  offers: ReadonlyMap<string, readonly Offer[]>;
  /** What the form said so far. */
  answers: Answers;
  /** The choice for a booking about which it said nothing. */
  usual: (booking: BookingRow) => ShownChoice;
}

/** The choice for a booking unless one chooses otherwise. */
export function usualChoice({ closed_day_choice: choice }: BookingRow): ShownChoice {
  return choice === 'kept' ? 'keep' : 'later';
}

/** The fields that decide about bookings on closed days. */
export function Decisions(props: DecisionsProps): VNode {
  const { bookings, offers, answers } = props;
  const offered = bookings.map((booking) => offersOf(booking, offers));
  return (
    <div class="decisions">
      {bookings.length > 1 && (
        <p class="for-all">
          <span class="muted">For all:</span>
          {shownChoices
            .filter(
              (each) =>
                each === 'move' || !isMoving(each) || offered.some((of) => of[each] !== undefined),
            )
            .map((each) => (
              <button key={each} class="quiet small" name="all" value={each}>
                {wordsForAll[each]}
              </button>
            ))}
        </p>
      )}
      {bookings.map((booking) => (
        <DecisionField key={booking.id} booking={booking} {...props} />
      ))}
      <WordField value={answers.word} mistake={answers.wordMistake} />
    </div>
  );
}

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

/** The offers for a booking, by the choice that takes them. */
function offersOf({ id }: BookingRow, offers: DecisionsProps['offers']) {
  const all = offers.get(id) ?? [];
  const [move, nearest] = all.filter(({ isOwn }) => isOwn !== true);
  return { move, nearest, own: all.find(({ isOwn }) => isOwn) };
}

function DecisionField({
  booking,
  offers,
  answers,
  usual,
}: DecisionsProps & { booking: BookingRow }): VNode {
  const { id, sequence, phone, email, status } = booking;
  const offered = offersOf(booking, offers);
  const isMailed = useContext(PageContext).hasMail && email !== null;
  const possible = shownChoices.filter((each) => {
    if (isMoving(each)) return offered[each] !== undefined;
    return each !== 'ask' || (status === 'confirmed' && !isAsked(booking));
  });
  const wanted = answers.all ?? answers.choices.get(id) ?? usual(booking);
  // A single offer is the best one, too; one with the booking's artist is that of the artist.
  const instead = movingChoices.find((each) =>
    wanted === 'nearest' ? each === 'move' : offered[each]?.artistId === booking.artist_id,
  );
  const isMissing = (wanted === 'nearest' || wanted === 'own') && offered[wanted] === undefined;
  const preferred = isMissing ? (instead ?? 'later') : wanted;
  const checked = possible.includes(preferred) ? preferred : 'later';
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
        {possible.map((each) => {
          const offer = isMoving(each) ? offered[each] : undefined;
          return (
            <label key={each} class="tick">
              <input
                type="radio"
                name={choiceField(id)}
                value={choiceValue(each, sequence, offer)}
                checked={each === checked}
              />
              <ChoiceWords choice={each} booking={booking} to={offer} />
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}

function isAsked({ closed_day_choice }: BookingRow): boolean {
  return closed_day_choice === 'asked';
}

const wordsForAll: Record<ShownChoice, string> = {
  move: 'Move',
  nearest: 'Nearest time',
  own: 'Same artist',
  ask: 'Ask',
  cancel: 'Cancel',
  keep: 'Keep',
  later: 'Later',
};

interface ChoiceWordsProps {
  choice: ShownChoice;
  booking: BookingRow;
  /** The slot to which the booking is moved. */
  to: SlotOfArtist | undefined;
}

function ChoiceWords({ choice: each, booking, to }: ChoiceWordsProps): VNode {
  const { artists } = useContext(PageContext);
  const { artist_name: name } = booking;
  if (isMoving(each)) {
    if (to === undefined) return <>Move</>;
    const artistName = artists.find(({ id }) => id === to.artistId)?.name;
    return (
      <>
        Move to <ShortDayAndHours of={{ ...to, artistName }} />
      </>
    );
  }
  if (each !== 'keep') {
    const isWaiting = each === 'later' && isAsked(booking);
    return <>{isWaiting ? 'Wait for the person' : choiceWords[each]}</>;
  }
  if (name === null) return <>I come in for this one</>;
  return (
    <>
      <bdi>{name}</bdi> comes in for this one
    </>
  );
}

/** How each decision ended. */
export function DecidedList({ decided }: { decided: readonly Decided[] }): VNode {
  return (
    <ul class="booking-lines">
      {decided.map(({ decision, booking, outcome }) => (
        <li key={booking.id}>
          <PersonLink booking={booking} />
          {': '}
          <ChoiceWords
            choice={decision.choice}
            booking={booking}
            to={decision.choice === 'move' ? decision.to : undefined}
          />
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
