import { maxWaitSeconds } from '../config/limits.js';

/**
 * The first `wait` of a Prefer header (RFC 7240, 4.3), in seconds, at most 60. Null where it is
 * missing or malformed.
 */
export function preferredWaitSeconds(header: string | undefined): number | null {
  if (header === undefined) return null;
  // Commas and semicolons in a quoted value are not separators.
  const unquoted = header.replaceAll(/"((?:[^"\\]|\\.)*)"/g, (_quoted, value: string) =>
    value.replaceAll(/[,;]/g, ' '),
  );
  for (const preference of unquoted.split(',')) {
    const [name = '', value = ''] = (preference.split(';')[0] ?? '').split('=');
    if (name.trim().toLowerCase() !== 'wait') continue;
    return /^\d+$/.test(value.trim()) ? Math.min(Number(value), maxWaitSeconds) : null;
  }
  return null;
}
