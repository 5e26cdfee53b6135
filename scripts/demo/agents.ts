import { setTimeout as pause } from 'node:timers/promises';
import type { BookingClient } from '../../src/client/client.js';
import { nextPerson, type Person } from './people.js';
import { findOpenTimes, hold, press } from './steps.js';

const agents = ['Juniper', 'Pixel', 'Sable'];
const shownDays = 30;
/** The least number of open times to keep, of about eighty. */
const scarce = 30;

/** Runs the agents until the signal, then waits for their current steps. */
export async function runAgents(
  client: BookingClient,
  holdSeconds: number,
  tell: (line: string) => void,
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

  /** From the search for a time to its outcome. */
  async function serve(agent: string, person: Person): Promise<void> {
    await waitSeconds(0.5, 3);
    const open = await findOpenTimes(client, shownDays);
    // One of the nearer half of the open times.
    const time = open[Math.floor((Math.random() * open.length) / 2)];
    const held = time === undefined ? null : await hold(client, time, person);
    if (held === null) return;
    tell(`${agent} holds ${held.label} for ${person.name}.`);

    const chance = Math.random();
    if (chance < 0.25) {
      await waitSeconds(holdSeconds, holdSeconds + 1);
      tell(`${person.name} has forgotten about it: ${held.label} is open again.`);
      return;
    }
    await waitSeconds(2, holdSeconds / 2);
    if (chance < 0.45) {
      await press(held.checkout_url, 'release');
      tell(`${person.name} releases ${held.label}.`);
      return;
    }
    await press(held.checkout_url, 'confirm');
    tell(`${person.name} confirms ${held.label}.`);
    // Keeps the calendar from filling up.
    if (chance < 0.75 && open.length > scarce) return;
    await waitSeconds(4, 12);
    await press(held.checkout_url, 'cancel');
    tell(`${person.name} cancels ${held.label}.`);
  }

  /** Rejects at the signal. */
  async function waitSeconds(least: number, most: number): Promise<void> {
    await pause((least + Math.random() * (most - least)) * 1_000, undefined, { signal });
  }
}
