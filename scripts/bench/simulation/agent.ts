import type { Slot } from '../../../src/schedule/slots.js';

export type Request = { kind: 'read' } | { kind: 'hold'; slot: Slot };

export type Answer =
  | { kind: 'open'; slots: readonly Slot[] }
  | { kind: 'held' }
  | { kind: 'unavailable'; alternatives: readonly Slot[] }
  /** `too_many_pending_holds`, `rate_limited` or `service_unavailable`, with its Retry-After. */
  | { kind: 'later'; error: string; seconds: number };

export interface AgentHabits {
  /** Between an answer and the next request: from, to. */
  thinkSeconds: readonly [number, number];
  /** While nothing is open, the next read comes after this time, plus or minus a half. */
  pollSeconds: number;
  /** The share that wants the first open slot; the others want any. */
  wantsFirst: number;
}

export interface NextRequest {
  afterSeconds: number;
  request: Request;
}

/**
 * What a well-behaved agent does next: reads what is open, holds a slot, takes an alternative, waits
 * as long as it is asked to and then repeats its request. Null once it has a hold.
 */
export function nextRequest(
  request: Request,
  answer: Answer,
  habits: AgentHabits,
  random: () => number,
): NextRequest | null {
  switch (answer.kind) {
    case 'held':
      return null;
    case 'later':
      return { afterSeconds: answer.seconds, request };
    case 'open':
      return choose(answer.slots, habits, random);
    case 'unavailable':
      return choose(answer.alternatives, habits, random);
  }
}

function choose(
  slots: readonly Slot[],
  { thinkSeconds: [from, to], pollSeconds, wantsFirst }: AgentHabits,
  random: () => number,
): NextRequest {
  const index = random() < wantsFirst ? 0 : Math.floor(random() * slots.length);
  const slot = slots[index];
  if (slot === undefined) {
    return { afterSeconds: pollSeconds * (0.5 + random()), request: { kind: 'read' } };
  }
  return { afterSeconds: from + random() * (to - from), request: { kind: 'hold', slot } };
}
