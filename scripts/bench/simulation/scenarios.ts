import { timeSlots } from '../../../src/schedule/slots.js';
import { spreadRetries } from '../../../src/domain/holds.js';
import type { Crowd } from './crowd.js';
import type { ServiceRules } from './service.js';

/** A Tuesday noon in the studio's time zone. */
export const epochMs = Date.parse('2026-12-01T20:00:00Z');

/** A crowd for the slots of a month: each has an address of its own, and stays for half an hour. */
export function crowdOf(agents: number): Crowd {
  return {
    agents,
    arrivalSeconds: 60,
    patienceSeconds: 1_800,
    habits: { thinkSeconds: [1, 5], pollSeconds: 60, wantsFirst: 0.5 },
    confirmShare: 0.6,
    confirmSeconds: [60, 600],
  };
}

/** The service's defaults, with some hundred open slots. */
export function defaultRules(): ServiceRules {
  const all = [...timeSlots];
  return {
    calendar: {
      timezone: 'America/Los_Angeles',
      sessions: { 1: all, 2: all, 3: all, 4: all, 5: all, 6: all, 7: all },
      closures: [],
      busySlots: new Set(),
      minNoticeMinutes: 60,
      horizonDays: 33,
    },
    holdLifetimeSeconds: 900,
    maxPendingHolds: 30,
    writesPerHour: 5,
    retryAfter: spreadRetries,
    // Of the table of costs, rounded; holds are serialized by PostgreSQL.
    costs: { read: 100e-6, hold: 3_000e-6, refusal: 200e-6, shed: 50e-6 },
    maxQueueSeconds: 1,
  };
}

/** Changes of the rules that an operator or a design could make. */
export const variants: { name: string; change: Partial<ServiceRules> }[] = [
  { name: 'as it is', change: {} },
  { name: 'room for 100 pending holds', change: { maxPendingHolds: 100 } },
  { name: 'Retry-After: the lapse', change: { retryAfter: (seconds) => seconds } },
  {
    name: 'Retry-After: at random until the lapse',
    change: { retryAfter: (seconds, _, random) => Math.ceil(seconds * random()) },
  },
];
