import { setTimeout as pause } from 'node:timers/promises';
import type { BookingClient } from '../../src/client/client.js';
import type { Mailbox } from './mailbox.js';
import { nextPerson, type Person } from './people.js';
import { findOpenTimes, hold, press } from './steps.js';

const agents = ['Juniper', 'Pixel', 'Sable'];
const shownDays = 30;
/** With fewer open times than this, of about eighty, every confirmed booking is cancelled again. */
const fewOpenTimes = 30;

/** Runs the agents until the signal is aborted, and resolves when each has finished. */
export async function runAgents(
  client: BookingClient,
  holdSeconds: number,
  mailbox: Pick<Mailbox, 'nextCode'>,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(agents.map((agent) => runAgent(agent)));

  async function runAgent(agent: string): Promise<void> {
    while (!signal.aborted) {
      await serve(agent, nextPerson()).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    }
  }

  /** Books for one person, from the search for a time to the outcome. */
  async function serve(agent: string, person: Person): Promise<void> {
    await waitSeconds(0.5, 3);
    const open = await findOpenTimes(client, shownDays);
    // People prefer early times: one of the first half.
    const time = open[Math.floor((Math.random() * open.length) / 2)];
    const held = time === undefined ? null : await hold(client, time, person);
    if (held === null) return;
    print(`${agent} holds ${held.label} for ${person.name}.`);

    const chance = Math.random();
    if (chance < 0.25) {
      await waitSeconds(holdSeconds, holdSeconds + 1);
      print(`${person.name} did not respond: ${held.label} is open again.`);
      return;
    }
    await waitSeconds(2, holdSeconds / 2);
    if (chance < 0.45) {
      await press(held.checkout_url, 'release');
      print(`${person.name} releases ${held.label}.`);
      return;
    }
    await press(held.checkout_url, 'confirm');
    print(`${person.name} confirms ${held.label}.`);
    // Without cancellations the calendar would fill up.
    if (chance < 0.75 && open.length > fewOpenTimes) return;
    await waitSeconds(4, 12);
    const [code] = await Promise.all([
      mailbox.nextCode(person.name, signal),
      press(held.checkout_url, 'send_code'),
    ]);
    await press(held.checkout_url, 'cancel', { code });
    print(`${person.name} types a code and cancels ${held.label}.`);
  }

  /** Rejects at the signal. */
  async function waitSeconds(least: number, most: number): Promise<void> {
    await pause((least + Math.random() * (most - least)) * 1_000, undefined, { signal });
  }
}
