import type { Clock } from '../../platform/clock.js';
import type { LimitStore, UsageCallback } from './store.js';

/** Maximum number of windows per window length. A window takes about 200 bytes. */
const defaultCapacity = 50_000;

interface Window {
  count: number;
  endsAt: number;
}

/** The windows of one length. A Map keeps insertion order: the first in `open` ends first. */
interface Windows {
  open: Map<string, Window>;
  /** The exhausted windows, evicted last, so that a flood of other callers does not reset a limit. */
  exhausted: Map<string, Window>;
}

/**
 * Counts requests in memory, in a bounded number of windows. When full, ended windows are evicted
 * first, then the oldest window that is not exhausted, then the oldest exhausted one.
 */
export function createMemoryStore(
  clock: Pick<Clock, 'own'>,
  capacity = defaultCapacity,
): LimitStore {
  const byLength = new Map<number, Windows>();

  function windowsOf(windowMs: number): Windows {
    let windows = byLength.get(windowMs);
    if (windows === undefined) {
      windows = { open: new Map(), exhausted: new Map() };
      byLength.set(windowMs, windows);
    }
    return windows;
  }

  function findWindow(
    windows: Windows,
    key: string,
    windowMs: number,
    now: number,
  ): Window | undefined {
    const window = windows.open.get(key) ?? windows.exhausted.get(key);
    return window !== undefined && hasEnded(window, windowMs, now) ? undefined : window;
  }

  function openWindow(windows: Windows, key: string, windowMs: number, now: number): Window {
    windows.open.delete(key);
    windows.exhausted.delete(key);
    for (const map of [windows.open, windows.exhausted]) deleteEnded(map, windowMs, now);
    if (windows.open.size + windows.exhausted.size >= capacity) {
      deleteFirst(windows.open.size > 0 ? windows.open : windows.exhausted);
    }
    const window = { count: 0, endsAt: now + windowMs };
    windows.open.set(key, window);
    return window;
  }

  return {
    incr(key: string, callback: UsageCallback, windowMs: number, maximum: number) {
      const now = clock.own();
      const windows = windowsOf(windowMs);
      const window =
        findWindow(windows, key, windowMs, now) ?? openWindow(windows, key, windowMs, now);
      const ttl = window.endsAt - now;
      if (window.count >= maximum) return callback(null, { current: maximum + 1, ttl });
      window.count += 1;
      if (window.count >= maximum && windows.open.delete(key)) windows.exhausted.set(key, window);
      callback(null, { current: window.count, ttl });
    },

    read(key: string, callback: UsageCallback, windowMs: number) {
      const now = clock.own();
      const window = findWindow(windowsOf(windowMs), key, windowMs, now);
      callback(null, { current: window?.count ?? 0, ttl: (window?.endsAt ?? now) - now });
    },

    refund(key, windowMs) {
      const window = findWindow(windowsOf(windowMs), key, windowMs, clock.own());
      if (window !== undefined && window.count > 0) window.count -= 1;
      return Promise.resolve();
    },

    connect: () => undefined,

    close: () => Promise.resolve(),
  };
}

/** A window that ends later than one length from now counts as ended: the clock was set back. */
function hasEnded(window: Window, windowMs: number, now: number): boolean {
  return window.endsAt <= now || window.endsAt > now + windowMs;
}

function deleteEnded(windows: Map<string, Window>, windowMs: number, now: number): void {
  for (const [key, window] of windows) {
    if (!hasEnded(window, windowMs, now)) return;
    windows.delete(key);
  }
}

function deleteFirst(windows: Map<string, Window>): void {
  for (const key of windows.keys()) {
    windows.delete(key);
    return;
  }
}
