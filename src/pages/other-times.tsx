import { Type } from '@sinclair/typebox';
import type { VNode } from 'preact';
import type { Alternative } from '../../generated/schemas.js';
import { type Slot, slotKey } from '../schedule/slots.js';
import { unbroken } from '../schedule/words.js';
import { choice } from '../web/forms.js';

/** Tells that the form offered other times: then one of them is to be chosen. */
export const offeredField = { offered: Type.Optional(choice('yes')) };

export interface OtherTimesProps {
  alternatives: readonly Alternative[];
  wanted: Slot;
  legend: string;
}

/** Times to choose from instead of the wanted one: by what they share with it, then in order of time. */
export function OtherTimes({ alternatives, wanted, legend }: OtherTimesProps): VNode {
  const groups = [
    { title: `At ${wanted.timeSlot} on other days`, slots: [] as Alternative[] },
    { title: 'On the same day', slots: [] as Alternative[] },
    { title: 'Other times', slots: [] as Alternative[] },
  ] as const;
  const inOrder = alternatives.toSorted(
    (one, other) => Date.parse(one.starts_at) - Date.parse(other.starts_at),
  );
  for (const slot of inOrder) {
    const group = slot.time_slot === wanted.timeSlot ? 0 : slot.date === wanted.date ? 1 : 2;
    groups[group].slots.push(slot);
  }
  return (
    <fieldset class="alternatives">
      <legend>{legend}</legend>
      <input type="hidden" name="offered" value="yes" />
      {groups.map(
        ({ title, slots }) =>
          slots.length > 0 && (
            <fieldset key={title}>
              <legend>{title}</legend>
              {slots.map(({ date, time_slot, label }) => (
                <label key={label}>
                  <input type="radio" name="slot" value={slotKey({ date, timeSlot: time_slot })} />
                  <span>{unbroken(label)}</span>
                </label>
              ))}
            </fieldset>
          ),
      )}
    </fieldset>
  );
}
