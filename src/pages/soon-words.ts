import type { ServiceError } from '../errors.js';

/** When a refused request may be sent again: `in a minute`, `in 12 minutes`. */
export function soonWords({ retryAfterSeconds }: ServiceError): string {
  if (retryAfterSeconds === undefined || retryAfterSeconds <= 60) return 'in a minute';
  return `in ${Math.ceil(retryAfterSeconds / 60)} minutes`;
}
