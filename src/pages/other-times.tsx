import { Type } from '@sinclair/typebox';
import type { VNode } from 'preact';
import type { BookedSlot } from '../database/rows/results.js';
import { useLanguage } from '../locales/context.js';
import { type Slot, slotKey } from '../schedule/slots.js';
import { timesIn } from '../schedule/times.js';
import { choice } from '../web/forms.js';
import { SessionTime } from './parts.js';

/** The field of a form that offered other times: one of them must be chosen. */
export const offeredField = { offered: Type.Optional(choice('yes')) };

export interface OtherTimesProps {
  alternatives: readonly BookedSlot[];
  wanted: Slot;
  legend: string;
}

/** Times to choose from instead of the wanted one: by likeness to it, then in order of time. */
export function OtherTimes({ alternatives, wanted, legend }: OtherTimesProps): VNode {
  const language = useLanguage();
  const { t } = language;
  const time = timesIn(language).slotWords(wanted.timeSlot);
  const groups = [
    { title: t('other_times.same_time', { time }), slots: [] as BookedSlot[] },
    { title: t('other_times.same_day'), slots: [] as BookedSlot[] },
    { title: t('other_times.others'), slots: [] as BookedSlot[] },
  ] as const;
  const inOrder = alternatives.toSorted(
    (one, other) => one.startsAt.getTime() - other.startsAt.getTime(),
  );
  for (const slot of inOrder) {
    const group = slot.timeSlot === wanted.timeSlot ? 0 : slot.date === wanted.date ? 1 : 2;
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
              {slots.map((slot) => (
                <label key={slot.label}>
                  <input type="radio" name="slot" value={slotKey(slot)} />
                  <span>
                    <SessionTime {...slot} />
                  </span>
                </label>
              ))}
            </fieldset>
          ),
      )}
    </fieldset>
  );
}
