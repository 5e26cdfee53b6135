import type { ComponentChildren, VNode } from 'preact';
import type { DomainServices } from '../../domain/deps.js';
import { type ClosureToAdd, nearestTimes } from '../../domain/studio/closed-days.js';
import { readBookingsToClose } from '../../domain/studio/closures.js';
import { DefaultButton, PostForm, type PostFormProps } from '../parts.js';
import { type Answers, repeatedChoices } from './decision-fields.js';
import { Decisions, type DecisionsProps, usualChoice, WordField } from './decisions.js';

/** The question what becomes of bookings, for all that closes their slots: a closure, an artist who leaves. */

export const hasMistakes = 'Nothing was done. What is wrong is marked below.';
const otherBookings =
  'Nothing was done: there are bookings that the form did not show. Say what becomes of them.';

/** The bookings in slots, and how it is asked about them. */
export type Question = Omit<DecisionsProps, 'answers'>;

/** `usual`: the choice for a booking unless one chooses otherwise. */
export async function readQuestion(
  context: DomainServices,
  slots: ClosureToAdd,
  usual = usualChoice,
): Promise<Question> {
  const bookings = await readBookingsToClose(context, slots);
  return { bookings, offers: await nearestTimes(context, bookings, slots), usual };
}

/** Why a form is shown again: null without a mistake; undefined if it has shown each booking in the slots. */
export async function questionTrouble(
  context: DomainServices,
  slots: ClosureToAdd,
  { all, shown, wordMistake }: Answers,
  isLook: boolean,
): Promise<string | null | undefined> {
  if (wordMistake !== undefined) return hasMistakes;
  if (isLook || all !== null) return null;
  const bookings = await readBookingsToClose(context, slots);
  return bookings.every(({ id }) => shown.has(id)) ? undefined : otherBookings;
}

interface QuestionFormProps extends PostFormProps {
  answers: Answers;
  /** Null before there are dates. */
  question: Question | null;
  /** Where the bookings are: `on these dates`. */
  there: ComponentChildren;
  /** The buttons that carry it out. */
  buttons: ComponentChildren;
  /** The address of the page before. */
  back: string;
}

/** A form that closes slots, and decides about the bookings in them. */
export function QuestionForm(props: QuestionFormProps): VNode {
  const { answers, question, there, buttons, back, children, hidden, ...form } = props;
  const { word, wordMistake } = answers;
  const length = question?.bookings.length ?? 0;
  const isWordShown = length > 0 || wordMistake !== undefined;
  const repeated = {
    ...(question === null && repeatedChoices(answers)),
    ...(!isWordShown && { word }),
  };
  return (
    <PostForm {...form} class="closure-form" hidden={{ ...hidden, ...repeated }}>
      <DefaultButton />
      {children}
      {question !== null && length > 0 && (
        <section class="there" aria-labelledby="there">
          <h2 id="there">
            {length === 1 ? 'A booking is' : `${length} bookings are`} {there}
          </h2>
          <Decisions {...question} answers={answers} />
        </section>
      )}
      {question !== null && length === 0 && <p class="muted">No bookings are {there}.</p>}
      {isWordShown && length === 0 && <WordField value={word} mistake={wordMistake} />}
      <div class="acts">
        {buttons}
        <a class="button quiet" href={back}>
          Back
        </a>
      </div>
    </PostForm>
  );
}
