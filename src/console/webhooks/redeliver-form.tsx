import type { VNode } from 'preact';
import { PostForm } from '../form.js';

/** The choices of how far back, in days. Deliveries are kept for 30. */
export const redeliverDays = [1, 7, 30] as const;
const usualDays = 7;

/** Sends again what failed. */
export function RedeliverForm({ action }: { action: string }): VNode {
  return (
    <PostForm action={action} class="inline redeliver">
      <label>
        Failed within{' '}
        <select name="days">
          {redeliverDays.map((days) => (
            <option key={days} value={days} selected={days === usualDays}>
              {days === 1 ? 'a day' : `${days} days`}
            </option>
          ))}
        </select>
      </label>
      <button class="small">Send failed deliveries again</button>
    </PostForm>
  );
}
