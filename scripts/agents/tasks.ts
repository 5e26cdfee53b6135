import { randomUUID } from 'node:crypto';
import { UriTemplate } from '@modelcontextprotocol/sdk/shared/uriTemplate.js';
import { addDays } from '../../src/schedule/dates.js';
import { dataOf, refusalOf, type Answer } from './agent.js';
import { startReceiver } from './receiver.js';
import type { Scene } from './scene.js';
import {
  afternoonsOf,
  confirmAndLearn,
  daysAhead,
  expect,
  findOpenAfternoon,
  holdAfternoon,
  holdAlternative,
  listTwoWeeks,
} from './steps.js';

/** Throws where the agent does not succeed, with the reason. */
export interface Task {
  /** Heads a column of the table. */
  name: string;
  run(scene: Scene): Promise<void>;
}

const find: Task = {
  name: 'find',
  async run({ agent, firstAfternoon }) {
    const found = await findOpenAfternoon(agent);
    const open = await firstAfternoon(daysAhead);
    expect(found.date === open?.date && found.time_slot === open.time_slot, 'the first afternoon');
  },
};

const hold: Task = {
  name: 'hold',
  async run(scene) {
    const { checkout_url, starts_at } = await holdAfternoon(scene);
    const { status, text } = await scene.openLink(checkout_url);
    expect(status === 200, `the link opens, and answered ${status}`);
    expect(text.includes(starts_at), 'the page names the slot');
  },
};

/** Another caller takes the slot after the agent has read that it is open. */
const recover: Task = {
  name: 'recover',
  async run(scene) {
    await holdAlternative(scene, ([best]) => best);
  },
};

/** The wished afternoon is gone, and the person prefers another alternative than the best. */
const choose: Task = {
  name: 'choose',
  async run(scene) {
    const held = await holdAlternative(scene, (alternatives) => alternatives.at(-1));
    await confirmAndLearn(scene, held);
  },
};

const wait: Task = {
  name: 'wait',
  async run(scene) {
    await confirmAndLearn(scene, await holdAfternoon(scene));
  },
};

/** The person will be back in some hours: the agent holds nothing, and gives a link that does. */
const beAway: Task = {
  name: 'be away',
  async run({ agent, bookAt }) {
    const open = await listTwoWeeks(agent);
    const [time] = afternoonsOf(open);
    expect(time !== undefined, 'an open afternoon');
    expect(open.book_url_template !== undefined, 'a link for a person who is away');
    const page = await bookAt(new UriTemplate(open.book_url_template).expand({ ...time }));
    expect(page.includes('Your session is confirmed'), 'the person books at the link');
    expect(page.includes(time.date), 'at the time of the link');
  },
};

/** Two sessions, the second a week after the first, at the same time. */
const twice: Task = {
  name: 'twice',
  async run(scene) {
    const { agent, person } = scene;
    const afternoons = afternoonsOf(await listTwoWeeks(agent));
    for (const first of afternoons) {
      const second = afternoons.find(
        ({ date, time_slot }) => date === addDays(first.date, 7) && time_slot === first.time_slot,
      );
      if (second === undefined) continue;
      for (const time of [first, second]) {
        await confirmAndLearn(scene, dataOf(await agent.hold({ ...time, ...person })));
      }
      return;
    }
    throw new Error('no afternoon is open a week later, too');
  },
};

const subscribe: Task = {
  name: 'subscribe',
  async run(scene) {
    const { webhooks } = scene.agent;
    expect(webhooks !== undefined, 'webhooks');
    const receiver = await startReceiver();
    try {
      const request = { url: receiver.url, events: ['booking.confirmed' as const] };
      const { signing_secret, manage_token } = dataOf(await webhooks.subscribe(request));
      const held = await holdAfternoon(scene);
      await scene.confirm(held.checkout_url);
      const { type, data } = await receiver.nextEvent(signing_secret);
      expect(type === 'booking.confirmed' && data.id === held.id, 'the event of this booking');
      const { deleted } = dataOf(await webhooks.unsubscribe(manage_token));
      expect(deleted, 'the subscription is deleted');
    } finally {
      await receiver.close();
    }
  },
};

/** Each refusal says alone what was wrong, what to do, and whether to try again, and when. */
const beRefused: Task = {
  name: 'be refused',
  async run({ agent, person, useUpHolds }) {
    const time = await findOpenAfternoon(agent);

    const malformed = await agent.hold({ ...time, ...person, email: 'ada' });
    const { details = [] } = refusalOf(malformed, 'invalid_request');
    const named = details.map(({ path }) => path.split('.').at(-1));
    expect(named.length === 1 && named[0] === 'email', 'details name the malformed member alone');
    expectAdvice(malformed);

    const unknown = await agent.readBooking(randomUUID());
    refusalOf(unknown, 'booking_not_found');
    expectAdvice(unknown);

    await useUpHolds(time);
    const limited = await agent.hold({ ...time, ...person });
    refusalOf(limited, 'rate_limited');
    expectAdvice(limited, { isLater: true });
  },
};

/** Only a refusal that names a time may be sent again as it is, after that time. */
function expectAdvice(answer: Answer<unknown>, { isLater = false } = {}): void {
  if ('data' in answer) return;
  const { message, retry_after_seconds: seconds } = answer.error;
  expect(message !== '', 'a message');
  expect((seconds !== undefined) === isLater, `when to try again, and it says ${seconds}`);
  const { retryAfter } = answer;
  if (retryAfter === undefined) return;
  expect(retryAfter === (seconds?.toString() ?? null), 'Retry-After is retry_after_seconds');
}

export const tasks = [find, hold, recover, choose, wait, beAway, twice, subscribe, beRefused];
