import { newInstantOf, ownZoneData } from '../domain/zone-data.js';
import { readZoneRecords, type ZoneRecord } from '../repositories/zone-data.js';
import { bookingLabel } from '../schedule/words.js';
import type { Finding } from './failure.js';
import type { Session } from './session.js';
import { count } from './text.js';

/** The maximum number of bookings that are named. */
const namedLimit = 10;

/** Compares the instants of live bookings to come with their labels, by the data of this process. */
export async function checkZoneData({ services }: Session): Promise<Finding> {
  const { version } = ownZoneData;
  const zones = await readZoneRecords(services.database);
  const newer = zones.filter((zone) => zone.version !== null && zone.version > (version ?? ''));
  const disagreeing = zones.flatMap((zone) => disagreementsOf(zone));
  const isOlder = newer.length > 0;
  const message = [
    `This Node.js has time zone data ${version ?? 'of an unknown version'}; the database records ${recordsOf(zones)}.`,
    isOlder &&
      'Run the service with a Node.js that has the data recorded: what was booked keeps its instants, but new bookings get those of older data.',
    disagreeing.length > 0 &&
      `By the ${isOlder ? 'older ' : ''}data of this Node.js, ${count(disagreeing.length, 'booking')} ${disagreeing.length === 1 ? 'starts' : 'start'} at another instant than the label says: ${listed(disagreeing)}.`,
    disagreeing.length > 0 &&
      !isOlder &&
      version !== null &&
      'The service changes each once, at its start or within a minute while it runs with these data, and mails the person.',
  ].filter((sentence) => sentence !== false);
  const isWarning = isOlder || disagreeing.length > 0 || version === null;
  return { status: isWarning ? 'warning' : 'ok', message: message.join(' ') };
}

function listed(texts: readonly string[]): string {
  const more = texts.length - namedLimit;
  return [...texts.slice(0, namedLimit), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

function recordsOf(zones: readonly ZoneRecord[]): string {
  return zones.map(({ timezone, version }) => `${version ?? 'none'} for ${timezone}`).join(', ');
}

function disagreementsOf({ timezone, bookings }: ZoneRecord): string[] {
  return bookings.flatMap((booking) => {
    const instant = newInstantOf(timezone, booking, ownZoneData);
    return instant === null
      ? []
      : `${booking.id} (${bookingLabel(booking)}; stored ${booking.startsAtText}, by these data ${instant.startsAtText})`;
  });
}
