import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { TimeSlot } from '../../../generated/schemas.js';
import { emptyWeek } from '../../../src/schedule/calendar.js';
import { weekdayOf } from '../../../src/schedule/dates.js';
import { startService } from '../processes.js';
import { median } from '../row.js';
import { holdBody } from '../slots.js';
import { markdownTable } from '../table.js';
import { nextRequest, type Answer, type Request } from './agent.js';
import { kindOf, simulateCrowd, type Crowd, type Outcome } from './crowd.js';
import { defaultRules } from './scenarios.js';
import type { ServiceRules } from './service.js';
import { seededRandom } from './timeline.js';

const seconds = 50;
const horizonDays = 4;
const seed = 1;
const simulations = 25;
const settings = { holdLifetimeSeconds: 20, maxPendingHolds: 5, writesPerHour: 5 };

/** No hold is confirmed: each place comes free when its hold lapses. */
const crowd: Crowd = {
  agents: 200,
  arrivalSeconds: 5,
  patienceSeconds: seconds,
  habits: { thinkSeconds: [1, 2], pollSeconds: 10, wantsFirst: 0.5 },
  confirmShare: 0,
  confirmSeconds: [0, 0],
};

type Tally = Pick<Outcome, 'answers' | 'requests' | 'holds' | 'requestsBySecond'>;

/** The same small crowd at the real service and, the median of several, in the simulation: a table. */
export async function validation(): Promise<string> {
  const service = await startService({
    HOLD_LIFETIME_SECONDS: String(settings.holdLifetimeSeconds),
    MAX_PENDING_HOLDS: String(settings.maxPendingHolds),
    WRITES_PER_HOUR_ANONYMOUS: String(settings.writesPerHour),
    BOOKING_HORIZON_DAYS: String(horizonDays),
    TRUST_PROXY: '127.0.0.1/32',
  });
  try {
    const pool = new Pool(service.url, { connections: 64 });
    const calendar = await calendarOf(pool);
    const real = await sendCrowd(pool);
    const rules = { ...defaultRules(), ...settings, calendar };
    const simulated = Array.from({ length: simulations }, (_, index) =>
      simulateCrowd(crowd, rules, { epochMs: Date.now(), seconds, seed: seed + index }),
    );
    await pool.close();
    return compare(real, simulated);
  } finally {
    await service.stop();
  }
}

function compare(real: Tally, simulated: Tally[]): string {
  const line = (what: string, figure: (tally: Tally) => number): string[] => {
    const [ours, model] = [figure(real), median(simulated.map(figure))];
    const difference = ours === 0 ? '–' : `${((model / ours - 1) * 100).toFixed(0)} %`;
    return [what, ours.toFixed(1), model.toFixed(1), difference];
  };
  const kinds = [...new Set([real, ...simulated].flatMap(({ answers }) => Object.keys(answers)))];
  const afterArrival = ({ requestsBySecond }: Tally): number[] =>
    requestsBySecond.slice(crowd.arrivalSeconds + 5);
  return markdownTable(
    ['200 agents, 5 pending holds at most', 'real', 'simulated, median', 'difference'],
    [
      line('requests', ({ requests }) => requests),
      line('holds', ({ holds }) => holds),
      line('requests per hold', ({ requests, holds }) => requests / holds),
      ...kinds.map((kind) => line(`answers: ${kind}`, ({ answers }) => answers[kind] ?? 0)),
      line('busiest second after the arrivals', (tally) => Math.max(...afterArrival(tally))),
    ],
  );
}

/** Sends the crowd in real time, each agent from an address of its own. */
async function sendCrowd(pool: Pool): Promise<Tally> {
  const random = seededRandom(seed);
  const tally: Tally = {
    answers: {},
    requests: 0,
    holds: 0,
    requestsBySecond: Array<number>(seconds + 1).fill(0),
  };
  const began = performance.now();
  const now = (): number => (performance.now() - began) / 1000;

  async function live(agent: number): Promise<void> {
    let next = {
      afterSeconds: random() * crowd.arrivalSeconds,
      request: { kind: 'read' } as Request,
    };
    while (now() + next.afterSeconds < seconds) {
      await delay(next.afterSeconds * 1000);
      tally.requests += 1;
      tally.requestsBySecond[Math.min(seconds, Math.floor(now()))]! += 1;
      const answer = await send(pool, agent, next.request);
      const kind = kindOf(answer);
      tally.answers[kind] = (tally.answers[kind] ?? 0) + 1;
      const then = nextRequest(next.request, answer, crowd.habits, random);
      if (then === null) {
        tally.holds += 1;
        return;
      }
      next = then;
    }
  }

  await Promise.all(Array.from({ length: crowd.agents }, (_, agent) => live(agent)));
  return tally;
}

interface Body {
  data: { timezone: string; days: { date: string; slots: { time_slot: TimeSlot }[] }[] };
  error: { code: string; alternatives?: { date: string; time_slot: TimeSlot }[] };
}

async function send(pool: Pool, agent: number, request: Request): Promise<Answer> {
  const headers = {
    'content-type': 'application/json',
    'x-forwarded-for': `192.0.${Math.floor(agent / 250)}.${(agent % 250) + 1}`,
  };
  if (request.kind === 'read') {
    const { body } = await pool.request({ method: 'GET', path: availabilityPath(), headers });
    return { kind: 'open', slots: slotsOf((await body.json()) as Body) };
  }
  const { date, timeSlot } = request.slot;
  const {
    statusCode,
    headers: received,
    body,
  } = await pool.request({
    method: 'POST',
    path: '/api/public/holds',
    headers,
    body: JSON.stringify({
      ...(JSON.parse(holdBody({ date, time_slot: timeSlot })) as object),
      email: `agent${agent}@example.com`,
      phone: `555555${String(agent).padStart(4, '0')}`,
    }),
  });
  const answer = (await body.json()) as Body;
  if (statusCode === 201) return { kind: 'held' };
  const { code, alternatives = [] } = answer.error;
  if (code === 'slot_unavailable') {
    const slots = alternatives.map((each) => ({ date: each.date, timeSlot: each.time_slot }));
    return { kind: 'unavailable', alternatives: slots };
  }
  const seconds = Number(received['retry-after']);
  if (Number.isNaN(seconds)) throw new Error(`a hold was answered with ${code}`);
  return { kind: 'later', error: code, seconds };
}

function slotsOf({ data }: Body) {
  return data.days.flatMap(({ date, slots }) =>
    slots.map(({ time_slot: timeSlot }) => ({ date, timeSlot })),
  );
}

function availabilityPath(): string {
  const date = (days: number) =>
    new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  return `/api/public/availability?from=${date(0)}&to=${date(horizonDays)}`;
}

/** What the studio's empty calendar offers, as the simulation's calendar. */
async function calendarOf(pool: Pool): Promise<ServiceRules['calendar']> {
  const { body } = await pool.request({ method: 'GET', path: availabilityPath() });
  const answer = (await body.json()) as Body;
  const sessions = emptyWeek();
  for (const { date, timeSlot } of slotsOf(answer)) sessions[weekdayOf(date)].push(timeSlot);
  const { calendar } = defaultRules();
  return { ...calendar, timezone: answer.data.timezone, sessions, horizonDays };
}
