import { minutesWords } from '../calendar/words.js';
import type { ServiceError } from '../errors.js';

/** When a refused request may be sent again: `in a minute`, `in 12 minutes`. */
export function soonWords({ retryAfterSeconds }: ServiceError): string {
  return `in ${minutesWords(retryAfterSeconds ?? 60)}`;
}

/** How long, to the minute: `a minute`, `15 minutes`. */
export function minutesWords(seconds: number): string {
  const count = Math.max(1, Math.round(seconds / 60));
  return count === 1 ? 'a minute' : `${count} minutes`;
}
