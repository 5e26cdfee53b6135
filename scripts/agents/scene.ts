import { createClient, type BookingClient } from '../../src/client/client.js';
import { nextPerson, type Person } from '../demo/people.js';
import { findOpenTimes, press, type OpenTime } from '../demo/steps.js';
import type { Agent } from './agent.js';

/** An agent, and those around it: the person for whom it books, and other callers. */
export interface Scene {
  agent: Agent;
  person: Person;
  /** The first open afternoon of the next days, read without the agent. */
  firstAfternoon: (days: number) => Promise<OpenTime | undefined>;
  /** The person opens the link. */
  openLink: (checkoutUrl: string) => Promise<{ status: number; text: string }>;
  /** The person presses the button that confirms. */
  confirm: (checkoutUrl: string) => Promise<void>;
  /** A caller at another address holds the slot. */
  takeSlot: (time: OpenTime) => Promise<void>;
  /** Callers at the agent's address hold until the service refuses them. */
  useUpHolds: (time: OpenTime) => Promise<void>;
}

/** Addresses for documentation (RFC 5737): one for each scene. */
export interface Addresses {
  agent: string;
  others: string;
}

/** Far more than an address may hold in an hour. */
const manyHolds = 100;

/** Plays the task, and gives back all slots that were held in it. */
export async function play(
  agent: Agent,
  { serviceUrl, addresses }: { serviceUrl: string; addresses: Addresses },
  task: (scene: Scene) => Promise<void>,
): Promise<void> {
  const links: string[] = [];
  const holdAs = async (client: BookingClient, time: OpenTime, person: Person) => {
    const { data, error } = await client.POST('/api/public/holds', {
      body: { ...time, ...person },
    });
    if (data) links.push(data.data.checkout_url);
    return error?.error.code;
  };
  const callerAt = (address: string) =>
    createClient({
      baseUrl: serviceUrl,
      fetch(request) {
        request.headers.set('x-forwarded-for', address);
        return fetch(request);
      },
    });

  const scene: Scene = {
    agent: {
      ...agent,
      async hold(request) {
        const answer = await agent.hold(request);
        if ('data' in answer) links.push(answer.data.checkout_url);
        return answer;
      },
    },
    person: nextPerson(),
    async firstAfternoon(days) {
      const open = await findOpenTimes(callerAt(addresses.others), days);
      return open.find(({ time_slot }) => time_slot.endsWith('PM'));
    },
    async openLink(checkoutUrl) {
      const response = await fetch(checkoutUrl);
      return { status: response.status, text: await response.text() };
    },
    confirm: (checkoutUrl) => press(checkoutUrl, 'confirm'),
    async takeSlot(time) {
      const refusal = await holdAs(callerAt(addresses.others), time, nextPerson());
      if (refusal !== undefined) throw new Error(`the other caller was refused: ${refusal}`);
    },
    async useUpHolds(time) {
      for (let held = 0; held < manyHolds; held += 1) {
        const refusal = await holdAs(callerAt(addresses.agent), time, nextPerson());
        if (refusal === 'rate_limited') return;
      }
      throw new Error('the service limits no holds');
    },
  };
  try {
    await task(scene);
  } finally {
    // Whichever of the two its page offers.
    for (const link of links) {
      await press(link, 'release');
      await press(link, 'cancel');
    }
  }
}
