import t from 'tap';
import { nextRequest, type AgentHabits } from '../../scripts/bench/simulation/agent.js';
import { simulateCrowd } from '../../scripts/bench/simulation/crowd.js';
import { crowdOf, defaultRules, epochMs } from '../../scripts/bench/simulation/scenarios.js';
import { simulateService } from '../../scripts/bench/simulation/service.js';
import { createTimeline, seededRandom } from '../../scripts/bench/simulation/timeline.js';

const slot = (date: string) => ({ date, timeSlot: '1:00 PM' as const });

void t.test('events happen in the order of their time, and then of their planning', async (t) => {
  const timeline = createTimeline();
  const happened: string[] = [];
  const note = (text: string) => () => happened.push(`${text} at ${timeline.now()}`);
  timeline.plan(3, note('late'));
  timeline.plan(1, () => {
    note('early')();
    timeline.plan(2, note('planned meanwhile'));
  });
  timeline.plan(1, note('second'));
  timeline.plan(9, note('never'));
  timeline.runUntil(5);
  t.same(happened, ['early at 1', 'second at 1', 'planned meanwhile at 2', 'late at 3']);
  t.equal(timeline.now(), 5);
});

void t.test('many events in any order come out sorted', async (t) => {
  const timeline = createTimeline();
  const random = seededRandom(7);
  const times = Array.from({ length: 1_000 }, () => Math.floor(random() * 100));
  const happened: number[] = [];
  for (const at of times) timeline.plan(at, () => happened.push(at));
  timeline.runUntil(100);
  t.same(
    happened,
    times.sort((a, b) => a - b),
  );
});

const habits: AgentHabits = { thinkSeconds: [1, 5], pollSeconds: 60, wantsFirst: 1 };

void t.test(
  'an agent takes an alternative, waits as it is asked to, and stops with its hold',
  async (t) => {
    const [wanted, other] = [slot('2026-12-03'), slot('2026-12-04')];
    const hold = { kind: 'hold' as const, slot: wanted };
    const half = () => 0.5;
    t.same(nextRequest({ kind: 'read' }, { kind: 'open', slots: [wanted, other] }, habits, half), {
      afterSeconds: 3,
      request: hold,
    });
    t.same(nextRequest(hold, { kind: 'unavailable', alternatives: [other] }, habits, half), {
      afterSeconds: 3,
      request: { kind: 'hold', slot: other },
    });
    t.same(nextRequest(hold, { kind: 'unavailable', alternatives: [] }, habits, half), {
      afterSeconds: 60,
      request: { kind: 'read' },
    });
    const later = { kind: 'later' as const, error: 'rate_limited', seconds: 17 };
    t.same(nextRequest(hold, later, habits, half), { afterSeconds: 17, request: hold });
    t.equal(nextRequest(hold, { kind: 'held' }, habits, half), null);
  },
);

void t.test('the simulated service follows the rules of holds', async (t) => {
  const rules = {
    ...defaultRules(),
    maxPendingHolds: 1,
    writesPerHour: 3,
    retryAfter: (seconds: number) => seconds,
  };
  const service = simulateService(rules, epochMs, seededRandom(1));
  const hold = (agent: number, date: string, now: number) =>
    service.answer(agent, { kind: 'hold', slot: slot(date) }, now).answer;
  t.same(hold(1, '2026-12-03', 0), { kind: 'held' });
  const refused = hold(2, '2026-12-03', 1);
  t.equal(refused.kind, 'unavailable');
  t.equal(refused.kind === 'unavailable' && refused.alternatives.length, 5);
  t.match(hold(2, '2026-12-04', 10), { error: 'too_many_pending_holds', seconds: 890 });
  t.ok(service.confirm(1, 100));
  t.same(hold(2, '2026-12-04', 200), { kind: 'held' }, 'a confirmed booking is not pending');
  t.equal(hold(2, '2026-12-03', 250).kind, 'unavailable', 'the attempt beyond the cap was free');
  t.match(hold(2, '2026-12-05', 300), { error: 'rate_limited', seconds: 3_301 });
  t.same(hold(3, '2026-12-04', 1_101), { kind: 'held' }, 'the hold has lapsed');
  t.notOk(service.confirm(2, 1_102));
});

void t.test('a queue longer than its limit is shed', async (t) => {
  const rules = { ...defaultRules(), costs: { read: 0.6, hold: 1, refusal: 1, shed: 0 } };
  const service = simulateService(rules, epochMs, () => 0.99);
  const read = () => service.answer(1, { kind: 'read' }, 0);
  t.match([read(), read()], [{ at: 0.6 }, { at: 1.2 }]);
  t.match(read(), { at: 0, answer: { error: 'service_unavailable', seconds: 3 } });
});

void t.test(
  'a simulation has the same outcome each time, and counts each request once',
  async (t) => {
    const run = () =>
      simulateCrowd(crowdOf(60), defaultRules(), { epochMs, seconds: 1_200, seed: 3 });
    const outcome = run();
    t.same(outcome, run());
    const sum = (values: number[]) => values.reduce((one, other) => one + other, 0);
    t.equal(sum(Object.values(outcome.answers)), outcome.requests);
    t.equal(sum(outcome.requestsBySecond), outcome.requests);
    t.equal(outcome.waits.length, outcome.holds);
    t.ok(outcome.confirmed > 0 && outcome.confirmed <= outcome.holds);
    t.ok(outcome.holds >= 30, 'more people than places, so that every place is used');
  },
);
