import type { StudioSlot } from '../../domain/studio-days.js';
import { personName, scheduleWords } from '../bookings/words.js';

export type SlotAppearance = 'booked' | 'held' | 'missed' | 'open' | 'closed' | 'over';

/** Of a confirmed session that a watched calendar is busy during. */
export const conflictWords = 'Your calendar is busy then';

export function isInConflict({ booking, isBusy, isOver }: StudioSlot): boolean {
  return booking?.status === 'confirmed' && isBusy && !isOver;
}

/** How a slot looks, and its word: the person, or what it is. */
export function slotWord({ booking, schedule, isOver }: StudioSlot): {
  state: SlotAppearance;
  word: string;
} {
  if (booking !== null) {
    const word = personName(booking);
    if (booking.status === 'pending') return { state: 'held', word };
    return { state: booking.no_show_at === null ? 'booked' : 'missed', word };
  }
  if (isOver) return { state: 'over', word: 'free' };
  if (schedule === 'open') return { state: 'open', word: 'open' };
  return { state: 'closed', word: scheduleWords[schedule] };
}
