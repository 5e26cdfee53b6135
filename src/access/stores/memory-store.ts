import type { Clock } from '../../platform/clock.js';
import type { LimitStore, UsageCallback } from './store.js';

/** Windows per window length; each takes about 200 bytes. */
const defaultCapacity = 50_000;

interface Window {
  count: number;
  endsAt: number;
}

/** Windows of one length. A Map iterates in insertion order: the first ends first. */
interface Windows {
  open: Map<string, Window>;
  /** Used-up windows are evicted last, so that many other callers do not reset them. */
  exhausted: Map<string, Window>;
}

/**
 * Counts in memory, with a bound. When full, ended windows are evicted first, then the oldest window
 * that is not used up, then the oldest used-up one.
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

  function find(windows: Windows, key: string, windowMs: number, now: number): Window | undefined {
    const window = windows.open.get(key) ?? windows.exhausted.get(key);
    return window !== undefined && hasEnded(window, windowMs, now) ? undefined : window;
  }

  function open(windows: Windows, key: string, windowMs: number, now: number): Window {
    windows.open.delete(key);
    windows.exhausted.delete(key);
    for (const map of [windows.open, windows.exhausted]) dropEnded(map, windowMs, now);
    if (windows.open.size + windows.exhausted.size >= capacity) {
      dropFirst(windows.open.size > 0 ? windows.open : windows.exhausted);
    }
    const window = { count: 0, endsAt: now + windowMs };
    windows.open.set(key, window);
    return window;
  }

  const store: LimitStore = {
    incr(key: string, callback: UsageCallback, windowMs: number, maximum: number) {
      const now = clock.own();
      const windows = windowsOf(windowMs);
      const window = find(windows, key, windowMs, now) ?? open(windows, key, windowMs, now);
      const ttl = window.endsAt - now;
      if (window.count >= maximum) return callback(null, { current: maximum + 1, ttl });
      window.count += 1;
      if (window.count >= maximum && windows.open.delete(key)) windows.exhausted.set(key, window);
      callback(null, { current: window.count, ttl });
    },

    read(key: string, callback: UsageCallback, windowMs: number) {
      const now = clock.own();
      const window = find(windowsOf(windowMs), key, windowMs, now);
      callback(null, { current: window?.count ?? 0, ttl: (window?.endsAt ?? now) - now });
    },

    refund(key, windowMs) {
      const window = find(windowsOf(windowMs), key, windowMs, clock.own());
      if (window !== undefined && window.count > 0) window.count -= 1;
      return Promise.resolve();
    },

    // Keys contain the name of the budget: all budgets share one store.
    child: () => store,

    close: () => Promise.resolve(),
  };
  return store;
}

/** A window that ends more than its length from now has ended, too: the clock was set back. */
function hasEnded(window: Window, windowMs: number, now: number): boolean {
  return window.endsAt <= now || window.endsAt > now + windowMs;
}

function dropEnded(windows: Map<string, Window>, windowMs: number, now: number): void {
  for (const [key, window] of windows) {
    if (!hasEnded(window, windowMs, now)) return;
    windows.delete(key);
  }
}

function dropFirst(windows: Map<string, Window>): void {
  for (const key of windows.keys()) {
    windows.delete(key);
    return;
  }
}
