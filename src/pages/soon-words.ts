import type { ServiceError } from '../errors.js';

/** When a refused request may be sent again: `in a minute`, `in 12 minutes`. */
export function soonWords({ retryAfterSeconds }: ServiceError): string {
  if (retryAfterSeconds === undefined || retryAfterSeconds <= 60) return 'in a minute';
  return `in ${Math.ceil(retryAfterSeconds / 60)} minutes`;
}

/** How long, to the minute: `a minute`, `15 minutes`. */
export function minutesWords(seconds: number): string {
  const count = Math.max(1, Math.round(seconds / 60));
  return count === 1 ? 'a minute' : `${count} minutes`;
}
