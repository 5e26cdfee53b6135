import { maxWaitSeconds } from '../platform/fixed-limits.js';

/**
 * The `wait` of a Prefer header (RFC 7240, 4.3), in seconds, at most 60. Null where there is none
 * that is well-formed: such preferences are ignored. Of several, the first counts.
 */
export function preferredWaitSeconds(header: string | undefined): number | null {
  if (header === undefined) return null;
  // A quoted value may hold a comma or a semicolon, which then separates nothing.
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
