import { LRUCache } from 'lru-cache';
import type { Slot } from './slots.js';

// Formatters are cached: creating one costs far more than using it.
let dateFormatter: Intl.DateTimeFormat | undefined;
const zoneFormatters = new LRUCache<string, Intl.DateTimeFormat>({ max: 64 });

/** For example `Tuesday, December 1, 2026 at 9:00 AM`. */
export function bookingLabel(slot: Slot): string {
  dateFormatter ??= new Intl.DateTimeFormat('en-US', {
    dateStyle: 'full',
    timeZone: 'UTC',
  });
  return `${dateFormatter.format(Date.parse(slot.date))} at ${slot.timeSlot}`;
}

/**
 * The English name of a time zone at an instant (ms since the epoch), such as `Pacific Standard Time`
 * (`short`: `PST`) or, without a name, `GMT+03:00`.
 *
 * @throws RangeError when the time zone does not exist
 */
export function zoneName(
  timezone: string,
  atMs: number,
  length: 'long' | 'short' = 'long',
): string {
  const key = `${length} ${timezone}`;
  let formatter = zoneFormatters.get(key);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      timeZoneName: length,
    });
    zoneFormatters.set(key, formatter);
  }
  const parts = formatter.formatToParts(atMs);
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? timezone;
}
