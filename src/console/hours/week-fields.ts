import { type Static, type TSchema, Type } from '@sinclair/typebox';
import type { TimeSlot } from '../../../generated/schemas.js';
import type { DayRow } from '../../database/rows/results.js';
import { findDayProblem, type IsAlsoTheirs } from '../../domain/studio/week.js';
import { endOfDay, timeSlots } from '../../schedule/slots.js';
import { form, text } from '../../web/forms.js';

/** A day of a form. One without times and sessions is closed; an artist is not there then. */
export interface FormDay {
  weekday: number;
  /** `HH:MM` or empty. */
  opens: string;
  closes: string;
  sessions: readonly TimeSlot[];
  /** Whether another week counts: the studio's, or that of every week. */
  isUsual: boolean;
}

/** A day as it was typed. */
export interface TypedDay extends FormDay {
  /** The day as the page showed it: `shownText`. */
  shown: string;
  /** Whether the box that leaves the day to the other week was ticked. */
  wasUsual: boolean;
  isChanged: boolean;
  hours: { opens: string; closes: string } | null;
  /** A sentence if it cannot be stored. */
  mistake: string | null;
}

/** The schema of its field: none, one or several. */
export const ticks = Type.Optional(Type.Union([text, Type.Array(text)]));

/** The sessions among the texts, in the order of the day. */
export function knownSessions(texts: readonly unknown[]): TimeSlot[] {
  return timeSlots.filter((slot) => texts.includes(slot));
}

/** A stored day as the form has it: a field for a time has no 24:00. */
export function formDay({ weekday, opens, closes, sessions }: DayRow, isUsual = false): FormDay {
  const until = closes === endOfDay ? '00:00' : (closes ?? '');
  return { weekday, opens: opens ?? '', closes: until, sessions, isUsual };
}

export function storedDay({ weekday, opens, closes, sessions }: FormDay): DayRow {
  const until = closes === '00:00' ? endOfDay : closes || null;
  return { weekday, opens: opens || null, closes: until, sessions: [...sessions] };
}

/** The value of the hidden field with a day as the page showed it. */
export function shownText({ opens, closes, sessions, isUsual }: FormDay): string {
  return [isUsual ? 'usual' : 'own', opens, closes, sessions.join()].join('|');
}

/** The day that a hidden field has. */
export function shownDay({ weekday, shown }: TypedDay): DayRow {
  const [, opens = '', closes = '', sessions = ''] = shown.split('|');
  const day = { weekday, opens, closes, sessions: knownSessions(sessions.split(',')) };
  return storedDay({ ...day, isUsual: false });
}

/** The days as a form sends them that leaves all to the other week. */
export function removedDays(days: readonly FormDay[]): TypedDay[] {
  return days.map((day) => ({
    ...{ ...day, isUsual: true, shown: shownText(day), isChanged: !day.isUsual },
    ...{ wasUsual: day.isUsual, hours: null, mistake: null },
  }));
}

export function isOff({ opens, closes, sessions, isUsual }: FormDay): boolean {
  return !isUsual && opens === '' && closes === '' && sessions.length === 0;
}

/** Whether a day that was changed is no longer as the page showed it, nor as it was typed. */
export function isOvertaken(typed: TypedDay, day: FormDay): boolean {
  return typed.isChanged && ![typed.shown, shownText(typed)].includes(shownText(day));
}

const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;
type Weekday = (typeof weekdays)[number];

/** A field of each day. */
function daily<Name extends string, Schema extends TSchema>(name: Name, schema: Schema) {
  const fields = weekdays.map((weekday) => [`${name}-${weekday}`, schema]);
  return Object.fromEntries(fields) as Record<`${Name}-${Weekday}`, Schema>;
}

/** The fields of `WeekForm`. */
export const weekFields = {
  ...daily('shown', text),
  ...daily('opens', text),
  ...daily('closes', text),
  ...daily('sessions', ticks),
  ...daily('usual', Type.Optional(text)),
  ...daily('off', Type.Optional(text)),
  ...{ agreed: text, asked: ticks, also: ticks },
};
const schema = form(weekFields);
type PostedWeek = Static<typeof schema.body>;

/** The artists whose own weeks change, too: an answer counts only for the sentence that was shown. */
export function readFollowers({ asked, also }: Pick<PostedWeek, 'asked' | 'also'>): IsAlsoTheirs {
  const [shown, ticked] = [[asked].flat(), [also].flat()];
  return ({ sentence }) => (shown.includes(sentence) ? ticked.includes(sentence) : null);
}

/** The days of a form. A day whose fields are changed is so, whatever a box says that was ticked before. */
export function readDays(posted: PostedWeek, needsTimes = false): TypedDay[] {
  return weekdays.map((weekday) => readDay(posted, weekday, needsTimes));
}

function readDay(posted: PostedWeek, weekday: Weekday, needsTimes: boolean): TypedDay {
  const shown = posted[`shown-${weekday}`];
  const isTicked = (box: 'usual' | 'off') => posted[`${box}-${weekday}`] !== undefined;
  const fields = {
    weekday,
    opens: posted[`opens-${weekday}`].trim(),
    closes: posted[`closes-${weekday}`].trim(),
    sessions: knownSessions([posted[`sessions-${weekday}`]].flat()),
  };
  const wasUsual = shown.startsWith('usual|');
  const wasOff = shown === 'own|||';
  const isFilled = shownText({ ...fields, isUsual: wasUsual }) !== shown;
  const isUsual = isTicked('usual') && !(wasUsual && (isFilled || isTicked('off')));
  const isOff = isTicked('off') && !isUsual && !(wasOff && isFilled);
  const day = { ...fields, ...(isOff && { opens: '', closes: '', sessions: [] }), isUsual };
  const { opens, closes, sessions } = day;
  const hasTimes = opens !== '' || closes !== '';
  const hours = hasTimes ? { opens, closes: closes === '00:00' ? endOfDay : closes } : null;
  const isWithout = needsTimes && !isOff && (sessions.length > 0 || wasOff);
  const isWrong = hasTimes ? !(isTime(opens) && isTime(closes)) : isWithout;
  const otherwise = needsTimes ? 'tick “closed”' : 'neither';
  const bothTimes = `Give both times, such as 09:00 and 17:30, or ${otherwise}.`;
  const problem = hours && (findDayProblem({ weekday, ...hours, sessions })?.problem ?? null);
  return {
    ...{ ...day, shown, wasUsual, isChanged: shownText(day) !== shown },
    hours,
    mistake: isUsual ? null : isWrong ? bothTimes : problem,
  };
}

function isTime(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text);
}
