import { ServiceError } from '../../errors.js';

/** The refusal of a form that is not that of the page. */
export function formRefused(): ServiceError {
  return new ServiceError('invalid_request', {
    message: 'This form is incomplete or out of date. Open the link again.',
  });
}

/**
 * The field `sequence` of a form: the booking's sequence as the page showed it. Null if it is missing.
 * Throws `invalid_request` for anything but a number.
 */
export function readSequence(field: unknown): number | null {
  if (field === undefined) return null;
  if (typeof field === 'string' && /^\d{1,9}$/.test(field)) return Number(field);
  throw formRefused();
}
