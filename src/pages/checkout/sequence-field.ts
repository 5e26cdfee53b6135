/**
 * The field `sequence` of a form: the booking's sequence as the page showed it. Null if it is missing
 * or no sequence.
 */
export function readSequence(field: unknown): number | null {
  return typeof field === 'string' && /^\d{1,9}$/.test(field) ? Number(field) : null;
}
