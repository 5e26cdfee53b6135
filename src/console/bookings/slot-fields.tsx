import type { VNode } from 'preact';
import { timeSlots } from '../../schedule/slots.js';
import { sessionLengthWords } from '../../schedule/words.js';

export interface SlotFieldsProps {
  date: string;
  timeSlot: string;
  mistake?: string | undefined;
}

/** A date and a session, of any day. */
export function SlotFields({ date, timeSlot, mistake }: SlotFieldsProps): VNode {
  const shared = {
    'aria-describedby': mistake === undefined ? undefined : 'slot-mistake',
    'aria-invalid': mistake === undefined ? undefined : ('true' as const),
  };
  return (
    <div class="slot-fields">
      <div>
        <label for="date">Date</label>
        <input id="date" type="date" name="date" value={date} required {...shared} />
      </div>
      <div>
        <label for="time_slot">Session, {sessionLengthWords}</label>
        <select id="time_slot" name="time_slot" {...shared}>
          {timeSlots.map((each) => (
            <option key={each} value={each} selected={each === timeSlot}>
              {each}
            </option>
          ))}
        </select>
      </div>
      {mistake !== undefined && (
        <p class="mistake" id="slot-mistake">
          {mistake}
        </p>
      )}
    </div>
  );
}
