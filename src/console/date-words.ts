import { dateWords } from '../schedule/words.js';

/** `Thursday, December 24, 2026`. */
export function longDate(date: string): string {
  return `${longDay(date)}, ${dateWords(date).year}`;
}

/** `Thu, Dec 24, 2026`. */
export function shortDate(date: string): string {
  const { weekday, month, day, year } = dateWords(date);
  return `${weekday.slice(0, 3)}, ${month.slice(0, 3)} ${day}, ${year}`;
}

/** `Thursday, December 24`. */
export function longDay(date: string): string {
  const { weekday, month, day } = dateWords(date);
  return `${weekday}, ${month} ${day}`;
}
