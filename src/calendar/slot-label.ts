import { LRUCache } from 'lru-cache';
import type { Slot } from './slots.js';

// Making a formatter costs far more than using it: they are made on first use and kept.
let dateFormatter: Intl.DateTimeFormat | undefined;
const zoneFormatters = new LRUCache<string, Intl.DateTimeFormat>({ max: 64 });

/** The slot as a sentence says it: `Tuesday, December 1, 2026 at 9:00 AM`. */
export function bookingLabel(slot: Slot): string {
  dateFormatter ??= new Intl.DateTimeFormat('en-US', {
    dateStyle: 'full',
    timeZone: 'UTC',
  });
  return `${dateFormatter.format(Date.parse(slot.date))} at ${slot.timeSlot}`;
}

/**
 * What people call a time zone at an instant (ms since the epoch): `Pacific Standard Time` in
 * winter, `Pacific Daylight Time` in summer, `GMT+03:00` and the like where it has no name.
 *
 * @throws RangeError when the time zone does not exist
 */
export function zoneName(timezone: string, atMs: number): string {
  let formatter = zoneFormatters.get(timezone);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      timeZoneName: 'long',
    });
    zoneFormatters.set(timezone, formatter);
  }
  const parts = formatter.formatToParts(atMs);
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? timezone;
}
