import type { VNode } from 'preact';
import type { ClosedHours } from '../../database/rows/results.js';
import { endOfDay } from '../../schedule/slots.js';
import { hoursWords } from '../../schedule/words.js';
import { Field } from '../../web/field.js';

/** The hours of a closure as they were typed. */
export interface TypedHours {
  /** Both empty: no block. Midnight is the end of the day. */
  fromTime: string;
  toTime: string;
  /** Whether an hour was pressed in the calendar: then longer spans are offered. */
  isPressed: boolean;
}

interface HoursFieldsProps {
  typed: TypedHours;
  mistake: string | undefined;
}

export function HoursFields({ typed, mistake }: HoursFieldsProps): VNode {
  const { fromTime, toTime } = typed;
  return (
    <div class="pair">
      <Field
        name="from_time"
        label="Only from"
        type="time"
        optional
        value={fromTime}
        mistake={mistake}
      />
      <Field
        name="to_time"
        label="Until"
        type="time"
        optional
        value={toTime.replace(endOfDay, '00:00')}
      />
    </div>
  );
}

/** Buttons that close two to four hours, where an hour was pressed in the calendar. */
export function LongerSpans({ typed }: { typed: TypedHours }): VNode | null {
  const { fromTime: from, isPressed } = typed;
  if (!isPressed) return null;
  const ends = [2, 3, 4].map((hours) => hoursLater(from, hours)).filter((to) => to <= endOfDay);
  return (
    <>
      {ends.map((to) => (
        <button key={to} class="quiet" name="span" value={`${from}-${to}`}>
          Close {hoursWords(from, to)}
        </button>
      ))}
    </>
  );
}

function hoursLater(time: string, hours: number): string {
  return `${String(Number(time.slice(0, 2)) + hours).padStart(2, '0')}${time.slice(2)}`;
}

/** `HH:MM` before midnight. */
export const clockPattern = /^([01]\d|2[0-3]):[0-5]\d$/;

/** The typed hours; null: none. Undefined if one is missing or no time. */
export function readHours({
  fromTime: from,
  toTime,
}: Pick<TypedHours, 'fromTime' | 'toTime'>): ClosedHours | null | undefined {
  if (from === '' && toTime === '') return null;
  const to = toTime === '00:00' ? endOfDay : toTime;
  const isClear = clockPattern.test(from) && (to === endOfDay || clockPattern.test(to));
  return isClear ? { from, to } : undefined;
}
