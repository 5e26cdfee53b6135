import {
  bookableDates,
  type Calendar,
  openSlots,
  slotState,
} from '../../../src/schedule/calendar.js';
import { alternatives } from '../../../src/schedule/alternatives.js';
import { type Slot, slotKey } from '../../../src/schedule/slots.js';
import type { Answer, Request } from './agent.js';

/** The settings of the service that the simulation follows. */
export interface ServiceRules {
  calendar: Calendar;
  holdLifetimeSeconds: number;
  maxPendingHolds: number;
  writesPerHour: number;
  /** The Retry-After of `too_many_pending_holds`, given the seconds until a hold lapses. */
  retryAfter: (seconds: number, holdLifetimeSeconds: number, random: () => number) => number;
  /** Seconds of the service for one request. */
  costs: { read: number; hold: number; refusal: number; shed: number };
  /** Longer queues are shed (MAX_EVENT_LOOP_DELAY_MS). */
  maxQueueSeconds: number;
}

export interface SimulatedService {
  /** The answer, and the time at which it is sent. `now` in seconds since `epochMs`. */
  answer(agent: number, request: Request, now: number): { at: number; answer: Answer };
  /** Returns whether the agent's hold was confirmed before it lapsed. */
  confirm(agent: number, now: number): boolean;
}

/** A Retry-After as `shedRequest` draws it. */
const shedSeconds = { min: 1, max: 3 };
const hourSeconds = 3_600;

/** One process with the service's own rules of the calendar, in the place of its database a map. */
export function simulateService(
  rules: ServiceRules,
  epochMs: number,
  random: () => number,
): SimulatedService {
  const { calendar, costs } = rules;
  /** By `slotKey`. */
  const taken = new Map<string, { lapsesAt: number | null; agent: number }>();
  const budgets = new Map<number, { left: number; endsAt: number }>();
  /** Results for the present state of the board. */
  let open: Slot[] | null = null;
  let offered = new Map<string, Slot[]>();
  let busyUntil = 0;

  const pending = () => [...taken.values()].flatMap(({ lapsesAt }) => lapsesAt ?? []);

  function changed(): void {
    open = null;
    offered = new Map();
  }

  function removeLapsed(nowMs: number): void {
    for (const [key, { lapsesAt }] of taken) {
      if (lapsesAt === null || lapsesAt > nowMs) continue;
      taken.delete(key);
      changed();
    }
  }

  function hold(agent: number, slot: Slot, now: number): Answer {
    const nowMs = epochMs + now * 1000;
    const budget = budgets.get(agent);
    const current =
      budget !== undefined && now < budget.endsAt
        ? budget
        : { left: rules.writesPerHour, endsAt: now + hourSeconds };
    budgets.set(agent, current);
    if (current.left === 0) {
      return later('rate_limited', Math.ceil(current.endsAt - now));
    }
    current.left -= 1;
    const key = slotKey(slot);
    if (slotState(calendar, taken, slot, nowMs) !== 'open') {
      let offer = offered.get(key);
      offer ??= alternatives(calendar, taken, slot, nowMs);
      offered.set(key, offer);
      return { kind: 'unavailable', alternatives: offer };
    }
    const lapses = pending();
    if (lapses.length >= rules.maxPendingHolds) {
      // A refusal with 503 gives its attempt back.
      current.left += 1;
      const seconds = Math.ceil((Math.min(...lapses) - nowMs) / 1000);
      return later(
        'too_many_pending_holds',
        rules.retryAfter(seconds, rules.holdLifetimeSeconds, random),
      );
    }
    taken.set(key, { lapsesAt: nowMs + rules.holdLifetimeSeconds * 1000, agent });
    changed();
    return { kind: 'held' };
  }

  function read(nowMs: number): Answer {
    open ??= openSlots(calendar, taken, bookableDates(calendar, nowMs), nowMs).days.flatMap(
      ({ date, slots }) => slots.map(({ timeSlot }) => ({ date, timeSlot })),
    );
    return { kind: 'open', slots: open };
  }

  function costOf(answer: Answer): number {
    if (answer.kind === 'open') return costs.read;
    // A cap is decided by the database, in the statement that would hold the slot.
    const isDecidedByDatabase =
      answer.kind === 'held' ||
      (answer.kind === 'later' && answer.error === 'too_many_pending_holds');
    return isDecidedByDatabase ? costs.hold : costs.refusal;
  }

  return {
    answer(agent, request, now) {
      const begins = Math.max(now, busyUntil);
      if (begins - now > rules.maxQueueSeconds) {
        busyUntil += costs.shed;
        const { min, max } = shedSeconds;
        const seconds = min + Math.floor(random() * (max - min + 1));
        return { at: now, answer: later('service_unavailable', seconds) };
      }
      removeLapsed(epochMs + begins * 1000);
      const answer =
        request.kind === 'read' ? read(epochMs + begins * 1000) : hold(agent, request.slot, begins);
      busyUntil = begins + costOf(answer);
      return { at: busyUntil, answer };
    },
    confirm(agent, now) {
      removeLapsed(epochMs + now * 1000);
      const held = [...taken.values()].find((each) => each.agent === agent);
      if (held === undefined) return false;
      held.lapsesAt = null;
      return true;
    },
  };
}

function later(error: string, seconds: number): Answer {
  return { kind: 'later', error, seconds };
}
