import ipaddr from 'ipaddr.js';
import type { PlatformRow } from '../database/rows/studio.js';
import type { DatabaseServices } from '../database/services.js';
import { singleFlight } from '../platform/concurrency.js';
import { listPlatforms, platformsChannel } from '../repositories/platforms.js';
import type { Platform } from './caller.js';

/** Resolves addresses to the platforms that the studio has listed, from memory. */
export interface PlatformDirectory {
  /** The platform whose ranges contain the address; null for any other address. */
  find(address: string): Platform | null;
  /**
   * Reads the platforms again, with a query that starts after the call. The start calls it first: no
   * query runs before.
   */
  refresh(): Promise<void>;
  close(): void;
}

interface Range {
  network: [ipaddr.IPv4 | ipaddr.IPv6, number];
  platform: Platform;
}

/** The size at which the cache starts anew: a Map is the cheapest to read, and every request reads it. */
const cachedAddresses = 10_000;
/** The interval of queries while notifications are not received, and after a query that failed. */
const retryIntervalMs = 1_000;

export function createPlatformDirectory({
  database,
  listener,
  log,
}: Pick<DatabaseServices, 'database' | 'listener' | 'log'>): PlatformDirectory {
  let ranges: Range[] = [];
  const byAddress = new Map<string, Platform | null>();
  let timer: NodeJS.Timeout | undefined;
  let isStarted = false;
  let isListening = false;
  let isClosed = false;

  const refresh = singleFlight(async (): Promise<void> => {
    clearTimeout(timer);
    let isRead = false;
    try {
      ranges = (await listPlatforms(database)).flatMap(rangesOf);
      byAddress.clear();
      isRead = true;
    } finally {
      if (!isClosed && (!isRead || !isListening)) {
        timer = setTimeout(refreshInBackground, retryIntervalMs).unref();
      }
    }
  });

  function refreshInBackground(): void {
    refresh().catch((error: unknown) => {
      if (isClosed) return;
      // The listener warns of an outage itself.
      log[isListening ? 'warn' : 'debug'](
        { err: error },
        'the platforms could not be read; retrying',
      );
    });
  }

  const unsubscribe = listener.subscribe(platformsChannel, {
    notified: refreshInBackground,
    // Changes may have been missed.
    connected() {
      isListening = true;
      if (isStarted) refreshInBackground();
    },
    lost() {
      isListening = false;
      clearTimeout(timer);
      if (!isClosed) timer = setTimeout(refreshInBackground, retryIntervalMs).unref();
    },
  });

  function lookUp(address: string): Platform | null {
    if (!ipaddr.isValid(address)) return null;
    const parsed = ipaddr.process(address);
    for (const { network, platform } of ranges) {
      if (network[0].kind() === parsed.kind() && parsed.match(network)) return platform;
    }
    return null;
  }

  return {
    find(address) {
      if (ranges.length === 0) return null;
      let platform = byAddress.get(address);
      if (platform === undefined) {
        platform = lookUp(address);
        if (byAddress.size >= cachedAddresses) byAddress.clear();
        byAddress.set(address, platform);
      }
      return platform;
    },
    refresh() {
      isStarted = true;
      return refresh();
    },
    close() {
      isClosed = true;
      unsubscribe();
      clearTimeout(timer);
    },
  };
}

function rangesOf(row: PlatformRow): Range[] {
  const platform: Platform = {
    name: row.name,
    readsPerMinute: row.reads_per_minute,
    holdsPerHour: row.holds_per_hour,
    liveBookings: row.live_bookings,
    pendingHoldsPercent: row.pending_holds_percent,
  };
  return row.ranges.map((range) => ({ network: ipaddr.parseCIDR(range), platform }));
}
