import { nextRequest, type AgentHabits, type Answer, type Request } from './agent.js';
import { simulateService, type ServiceRules } from './service.js';
import { createTimeline, seededRandom } from './timeline.js';

export interface Crowd {
  agents: number;
  /** They come evenly within this time. */
  arrivalSeconds: number;
  /** From its arrival, after which an agent without a hold leaves. */
  patienceSeconds: number;
  habits: AgentHabits;
  /** The share of people who confirm their holds, and when: from, to. */
  confirmShare: number;
  confirmSeconds: readonly [number, number];
}

export interface Outcome {
  holds: number;
  confirmed: number;
  requests: number;
  /** By the answer: `open`, `held`, `unavailable` or the error of a `later`. */
  answers: Record<string, number>;
  /** In each second since the start. */
  requestsBySecond: number[];
  /** Seconds from the arrival to the hold, of those who got one. */
  waits: number[];
}

export function kindOf(answer: Answer): string {
  return answer.kind === 'later' ? answer.error : answer.kind;
}

/** Simulates the crowd from its first arrival. The same arguments have the same outcome. */
export function simulateCrowd(
  crowd: Crowd,
  rules: ServiceRules,
  { epochMs, seconds, seed }: { epochMs: number; seconds: number; seed: number },
): Outcome {
  const random = seededRandom(seed);
  const timeline = createTimeline();
  const service = simulateService(rules, epochMs, random);
  const outcome: Outcome = {
    holds: 0,
    confirmed: 0,
    requests: 0,
    answers: {},
    requestsBySecond: Array<number>(seconds + 1).fill(0),
    waits: [],
  };

  function send(agent: number, request: Request, arrivedAt: number): void {
    const now = timeline.now();
    outcome.requests += 1;
    outcome.requestsBySecond[Math.floor(now)]! += 1;
    const { at, answer } = service.answer(agent, request, now);
    const kind = kindOf(answer);
    outcome.answers[kind] = (outcome.answers[kind] ?? 0) + 1;
    if (answer.kind === 'held') {
      outcome.holds += 1;
      outcome.waits.push(at - arrivedAt);
      if (random() < crowd.confirmShare) planConfirmation(agent, at);
    }
    const next = nextRequest(request, answer, crowd.habits, random);
    if (next === null) return;
    const then = at + next.afterSeconds;
    if (then - arrivedAt > crowd.patienceSeconds) return;
    timeline.plan(then, () => send(agent, next.request, arrivedAt));
  }

  function planConfirmation(agent: number, heldAt: number): void {
    const [from, to] = crowd.confirmSeconds;
    timeline.plan(heldAt + from + random() * (to - from), () => {
      if (service.confirm(agent, timeline.now())) outcome.confirmed += 1;
    });
  }

  for (let agent = 0; agent < crowd.agents; agent += 1) {
    const arrivesAt = random() * crowd.arrivalSeconds;
    timeline.plan(arrivesAt, () => send(agent, { kind: 'read' }, arrivesAt));
  }
  timeline.runUntil(seconds);
  return outcome;
}
