import { minutesWords } from '../calendar/words.js';
import type { ServiceError } from '../errors.js';

/** When a refused request may be sent again: `in a minute`, `in 12 minutes`. */
export function soonWords({ retryAfterSeconds }: ServiceError): string {
  return `in ${minutesWords(retryAfterSeconds ?? 60)}`;
}
