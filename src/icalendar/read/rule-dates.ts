import type { Rule } from './rule.js';
import { dayMs, localMs, type LocalMs } from './zones.js';

/** Whether a rule has a date, if it has one in the period around it. */
export type DateFilter = (date: LocalMs) => boolean;

/**
 * The date filter of a rule for an event that starts at `start`, which completes the rule (RFC 5545,
 * 3.3.10, the table of what limits and what expands).
 */
export function dateFilterOf(rule: Rule, start: LocalMs): DateFilter {
  const { frequency, months, monthDays, yearDays, weekNumbers, weekdays, weekStart } = rule;
  const filters: DateFilter[] = [];
  if (months !== null) filters.push((date) => months.includes(monthOf(date)));
  if (monthDays !== null) {
    filters.push((date) => {
      const [year, month] = [yearOf(date), monthOf(date)];
      return hasPosition(monthDays, dayOfMonth(date), daysInMonth(year, month));
    });
  }
  if (yearDays !== null) {
    filters.push((date) => hasPosition(yearDays, dayOfYear(date), daysInYear(yearOf(date))));
  }
  if (weekNumbers !== null) {
    filters.push((date) => {
      const { week, weeks } = weekOf(date, weekStart);
      return hasPosition(weekNumbers, week, weeks);
    });
  }
  if (weekdays !== null) {
    const within = frequency === 'MONTHLY' || months !== null ? positionInMonth : positionInYear;
    const hasNth = frequency === 'MONTHLY' || frequency === 'YEARLY';
    filters.push((date) =>
      weekdays.some(({ nth, weekday }) => {
        if (weekday !== weekdayOf(date)) return false;
        return nth === 0 || !hasNth || within(date, nth);
      }),
    );
  }
  const hasDays = monthDays !== null || yearDays !== null || weekdays !== null;
  if (!hasDays) filters.push(...missingParts(rule, start));
  return (date) => filters.every((filter) => filter(date));
}

/** The parts of the start's date that the rule leaves open. */
function missingParts({ frequency, months, weekNumbers }: Rule, start: LocalMs): DateFilter[] {
  const sameWeekday: DateFilter = (date) => weekdayOf(date) === weekdayOf(start);
  const sameDay: DateFilter = (date) => dayOfMonth(date) === dayOfMonth(start);
  if (frequency === 'WEEKLY') return [sameWeekday];
  if (frequency === 'MONTHLY') return [sameDay];
  if (frequency !== 'YEARLY') return [];
  if (weekNumbers !== null) return [sameWeekday];
  return months !== null ? [sameDay] : [sameDay, (date) => monthOf(date) === monthOf(start)];
}

/** Whether a list has a position, counted from 1 or, if negative, from the end. */
function hasPosition(list: readonly number[], position: number, count: number): boolean {
  return list.includes(position) || list.includes(position - count - 1);
}

function positionInMonth(date: LocalMs, nth: number): boolean {
  const day = dayOfMonth(date);
  return isNth(nth, day, daysInMonth(yearOf(date), monthOf(date)));
}

function positionInYear(date: LocalMs, nth: number): boolean {
  return isNth(nth, dayOfYear(date), daysInYear(yearOf(date)));
}

/** Whether a day (from 1) is the n-th of its weekday within `days` days. */
function isNth(nth: number, day: number, days: number): boolean {
  return nth > 0 ? Math.ceil(day / 7) === nth : Math.ceil((days - day + 1) / 7) === -nth;
}

export function yearOf(local: LocalMs): number {
  return new Date(local).getUTCFullYear();
}

/** From 1. */
export function monthOf(local: LocalMs): number {
  return new Date(local).getUTCMonth() + 1;
}

function dayOfMonth(local: LocalMs): number {
  return new Date(local).getUTCDate();
}

/** 0 is Sunday. */
function weekdayOf(local: LocalMs): number {
  return new Date(local).getUTCDay();
}

function daysInMonth(year: number, month: number): number {
  return (localMs(year, month + 1, 1) - localMs(year, month, 1)) / dayMs;
}

function daysInYear(year: number): number {
  return (localMs(year + 1, 1, 1) - localMs(year, 1, 1)) / dayMs;
}

function dayOfYear(date: LocalMs): number {
  return (date - localMs(yearOf(date), 1, 1)) / dayMs + 1;
}

/** The first day of the week of a date. */
export function weekStartOf(date: LocalMs, weekStart: number): LocalMs {
  return date - ((weekdayOf(date) - weekStart + 7) % 7) * dayMs;
}

/** The number of a date's week, and how many its year has: the first has four days of the year. */
function weekOf(date: LocalMs, weekStart: number): { week: number; weeks: number } {
  const firstDay = weekStartOf(date, weekStart);
  // The year in which most of the week is.
  const year = yearOf(firstDay + 3 * dayMs);
  const first = weekStartOf(localMs(year, 1, 4), weekStart);
  const next = weekStartOf(localMs(year + 1, 1, 4), weekStart);
  return { week: (firstDay - first) / (7 * dayMs) + 1, weeks: (next - first) / (7 * dayMs) };
}

/**
 * The dates for a day that a month lacks: its last date or the first of the next month (SKIP, RFC 7529,
 * 4.1). Null for other dates.
 */
export function substitutesOf(rule: Rule, start: LocalMs): (date: LocalMs) => LocalMs | null {
  const { frequency, skip, months, monthDays, yearDays, weekNumbers, weekdays } = rule;
  const isByMonthDay = yearDays === null && weekNumbers === null && weekdays === null;
  if (skip === 'OMIT' || !isByMonthDay || (frequency !== 'MONTHLY' && frequency !== 'YEARLY')) {
    return () => null;
  }
  const days = monthDays ?? [dayOfMonth(start)];
  const isOnceAYear = frequency === 'YEARLY' && monthDays === null && months === null;
  const ownMonths = isOnceAYear ? [monthOf(start)] : months;
  return (date) => {
    if (ownMonths !== null && !ownMonths.includes(monthOf(date))) return null;
    const count = daysInMonth(yearOf(date), monthOf(date));
    const isLast = dayOfMonth(date) === count;
    if (!isLast || !days.some((day) => Math.abs(day) > count)) return null;
    return skip === 'FORWARD' ? date + dayMs : date;
  };
}
