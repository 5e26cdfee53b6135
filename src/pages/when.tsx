import type { VNode } from 'preact';
import { zoneName } from '../schedule/slot-label.js';
import type { Slot } from '../schedule/slots.js';
import { dateWords } from '../schedule/words.js';

export interface WhenProps {
  slot: Slot;
  startsAt: Date;
  /** RFC 3339. */
  startsAtText: string;
  timezone: string;
}

/** The time of a session, in large letters. */
export function When({ slot, startsAt, startsAtText, timezone }: WhenProps): VNode {
  const { weekday, month, day, year } = dateWords(slot.date);
  return (
    <time class="when" dateTime={startsAtText}>
      <span>{weekday}, </span>
      <span class="date">
        {month} {day}{' '}
      </span>
      <span class="hour">{slot.timeSlot} </span>
      <span class="zone">
        {zoneName(timezone, startsAt.getTime())}, {year}
      </span>
    </time>
  );
}
