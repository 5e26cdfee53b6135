/** An example studio and the words in which the examples speak of slots and instants. */
import type { TimeSlot } from '../../generated/schemas.js';
import type { Calendar, Taken } from '../../src/calendar/calendar.js';
import { timeSlots } from '../../src/calendar/slots.js';
import type { Slot } from '../../src/calendar/slots.js';

const all = [...timeSlots];
export const closedMondays = { 1: [], 2: all, 3: all, 4: all, 5: all, 6: all, 7: all };
export const everyDay = { ...closedMondays, 1: all };
export const noDay = { 1: [], 2: [], 3: [], 4: [], 5: [], 6: [], 7: [] };
export const nobody: Taken = new Map();
export const minuteMs = 60_000;

export function studio(changes: Partial<Calendar> = {}): Calendar {
  return {
    timezone: 'America/Los_Angeles',
    sessions: closedMondays,
    closures: [],
    busySlots: new Set(),
    minNoticeMinutes: 60,
    horizonDays: 180,
    ...changes,
  };
}

export const at = (instant: string) => Date.parse(instant);
export const slot = (date: string, timeSlot: TimeSlot = '1:00 PM'): Slot => ({ date, timeSlot });
export const saturdayMorning = at('2026-11-21T08:00:00-08:00');
