import { type Static, Type } from '@sinclair/typebox';
import type { VNode } from 'preact';
import type { TimeSlot } from '../../../generated/schemas.js';
import { weekdayName } from '../../schedule/dates.js';
import { endOfDay } from '../../schedule/slots.js';
import { form, text } from '../../web/forms.js';
import { daily, isTime, knownSessions, SessionTicks, ticks, weekdays } from './week.js';

/** A day that may be as another week has it: the studio's, or that of every week. */
export interface OwnDay {
  weekday: number;
  /** `HH:MM` or empty. */
  opens: string;
  closes: string;
  sessions: readonly TimeSlot[];
  /** Whether the other week counts. */
  isUsual: boolean;
}

export interface OwnDaysProps {
  /** The days as they are. */
  days: readonly OwnDay[];
  /** As they were typed, if the form was refused. */
  typed: readonly OwnDay[] | null;
  /** What a day is like whose box is ticked: `as the studio`. */
  usual: string;
  /** Sentences about mistakes, by weekday. */
  mistakes: ReadonlyMap<number, string>;
}

/** The seven days of a form, each with a box that leaves it to the other week. */
export function OwnDays({ days, typed, usual, mistakes }: OwnDaysProps): VNode {
  return (
    <ol>
      {days.map((day) => {
        const { weekday, opens, closes, sessions, isUsual } =
          typed?.find((each) => each.weekday === day.weekday) ?? day;
        const [nameId, noteId] = [`day-${weekday}`, `note-${weekday}`];
        const mistake = mistakes.get(weekday);
        const time = (which: 'opens' | 'closes', value: string) => (
          <label>
            <span class="visually-hidden">
              {weekdayName(weekday)} {which}
            </span>
            <input
              type="time"
              name={`${which}-${weekday}`}
              value={value === endOfDay ? '00:00' : value}
              aria-describedby={mistake === undefined ? undefined : noteId}
              aria-invalid={mistake === undefined ? undefined : 'true'}
            />
          </label>
        );
        return (
          <li key={weekday}>
            <div role="group" aria-labelledby={nameId} class="week-day">
              <p class="day-name" id={nameId}>
                {weekdayName(weekday)}
              </p>
              <input type="hidden" name={`shown-${weekday}`} value={shownText(day)} />
              <div class="times">
                {time('opens', opens)}
                <span aria-hidden="true">–</span>
                {time('closes', closes)}
              </div>
              <SessionTicks name={`sessions-${weekday}`} chosen={sessions} />
              <label class="tick shut">
                <input type="checkbox" name={`usual-${weekday}`} checked={isUsual} />
                {usual}
              </label>
              {mistake !== undefined && (
                <div class="note" id={noteId}>
                  <p class="mistake">{mistake}</p>
                </div>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** The value of the hidden field with a day as the page showed it. */
function shownText({ opens, closes, sessions, isUsual }: OwnDay): string {
  const until = closes === endOfDay ? '00:00' : closes;
  return [isUsual ? 'usual' : 'own', opens, until, sessions.join()].join('|');
}

export const ownDaysFields = {
  ...daily('shown', text),
  ...daily('opens', text),
  ...daily('closes', text),
  ...daily('sessions', ticks),
  ...daily('usual', Type.Optional(text)),
};
const fields = form(ownDaysFields);

/** A typed day, its own hours, and a sentence if they are none. */
export interface TypedOwnDay extends OwnDay {
  hours: { opens: string; closes: string } | null;
  mistake: string | null;
}

/** The days of a form. One that was as usual and is changed is so no more, whatever its box says. */
export function readOwnDays(posted: Static<typeof fields.body>): TypedOwnDay[] {
  return weekdays.map((weekday) => {
    const [opens, closes] = [posted[`opens-${weekday}`].trim(), posted[`closes-${weekday}`].trim()];
    const sessions = knownSessions([posted[`sessions-${weekday}`]].flat());
    const isTicked = posted[`usual-${weekday}`] !== undefined;
    const typed = { weekday, opens, closes, sessions };
    const isChanged = posted[`shown-${weekday}`] !== shownText({ ...typed, isUsual: true });
    const wasUsual = posted[`shown-${weekday}`].startsWith('usual|');
    const isUsual = isTicked && !(wasUsual && isChanged);
    const isEmpty = opens === '' && closes === '';
    const isWrong = !isUsual && !isEmpty && !(isTime(opens) && isTime(closes));
    return {
      ...typed,
      isUsual,
      hours: isEmpty ? null : { opens, closes: closes === '00:00' ? endOfDay : closes },
      mistake: isWrong ? 'Give both times, such as 09:00 and 17:30, or neither.' : null,
    };
  });
}

/** Sentences about the mistakes of typed days, by weekday. */
export function mistakesOf(days: readonly TypedOwnDay[]): Map<number, string> {
  return new Map(
    days.flatMap(({ weekday, mistake }) => (mistake === null ? [] : [[weekday, mistake] as const])),
  );
}
