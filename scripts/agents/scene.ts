import { load } from 'cheerio';
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
  /** The person holds at the link of a time, and confirms; resolves with the page that follows. */
  bookAt: (link: string) => Promise<string>;
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

export interface Surroundings {
  serviceUrl: string;
  /** Of the proxy that counts what the agent sends. */
  publicUrl: string;
  addresses: Addresses;
}

/** Far more than an address may hold in an hour. */
const manyHolds = 100;

/** Plays the task, and gives back all slots that were held in it. */
export async function play(
  agent: Agent,
  { serviceUrl, publicUrl, addresses }: Surroundings,
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

  const person = nextPerson();

  const scene: Scene = {
    agent: {
      ...agent,
      async hold(request) {
        const answer = await agent.hold(request);
        if ('data' in answer) links.push(answer.data.checkout_url);
        return answer;
      },
    },
    person,
    async firstAfternoon(days) {
      const open = await findOpenTimes(callerAt(addresses.others), days);
      return open.find(({ time_slot }) => time_slot.endsWith('PM'));
    },
    async openLink(checkoutUrl) {
      const response = await fetch(checkoutUrl);
      return { status: response.status, text: await response.text() };
    },
    confirm: (checkoutUrl) => press(checkoutUrl, 'confirm'),
    async bookAt(link) {
      const form = load(await (await fetch(link.replace(publicUrl, serviceUrl))).text())(
        'form.person',
      );
      const typed = new URLSearchParams({ ...person, pronouns: '', action: 'hold' });
      for (const { name, value } of form.serializeArray()) {
        if (!typed.has(name)) typed.append(name, value);
      }
      const held = await fetch(`${serviceUrl}/book`, {
        method: 'POST',
        headers: { origin: publicUrl, 'x-forwarded-for': addresses.others },
        body: typed,
        redirect: 'manual',
      });
      const checkoutUrl = new URL(held.headers.get('location') ?? '', publicUrl).href;
      links.push(checkoutUrl);
      await press(checkoutUrl, 'confirm');
      return (await fetch(checkoutUrl)).text();
    },
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
