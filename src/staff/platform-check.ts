import { pendingHoldsOfPlatform } from '../config/limits.js';
import { listPlatforms, readPlatformUse } from '../repositories/platforms.js';
import { longestSessionHours } from '../schedule/slots.js';
import type { Finding } from './failure.js';
import type { Session } from './session.js';
import { count } from './text.js';

/** Warns of platforms that have reached a cap as a whole. */
export async function checkPlatforms({ config, services }: Session): Promise<Finding> {
  const platforms = await listPlatforms(services.database);
  const uses = await readPlatformUse(services.database, longestSessionHours);
  const reached = platforms.flatMap(({ name, live_bookings, pending_holds_percent }) => {
    const use = uses.find((each) => each.name === name);
    const pending = pendingHoldsOfPlatform(config, pending_holds_percent);
    return [
      ...((use?.liveBookings ?? 0) >= live_bookings
        ? [`${name} has reached its limit of ${live_bookings} live bookings placed within 24 hours`]
        : []),
      ...((use?.pendingHolds ?? 0) >= pending
        ? [`${name} has reached its limit of ${count(pending, 'pending hold')}`]
        : []),
    ];
  });
  if (reached.length === 0) {
    const message =
      platforms.length === 0
        ? 'No platforms are listed.'
        : `${count(platforms.length, 'platform')}, none at a limit.`;
    return { status: 'ok', message };
  }
  return {
    status: 'warning',
    message: `${reached.join('; ')}. "studio platforms set" changes its limits.`,
  };
}
