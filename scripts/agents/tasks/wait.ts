import { setTimeout as pause } from 'node:timers/promises';
import { dataOf } from '../agent.js';
import { expect, holdAfternoon } from './steps.js';
import type { Task } from './task.js';

/** Long enough for the agent to be waiting, and shorter than the interval for polling. */
const thinkingMs = 500;

export const wait: Task = {
  name: 'wait',
  async run(scene) {
    const held = await holdAfternoon(scene);
    const waiting = scene.agent.waitForPerson(held);
    await pause(thinkingMs);
    await scene.confirm(held.checkout_url);
    const answer = await waiting;
    const { status } = dataOf(answer);
    expect(status === 'confirmed', `a confirmed booking, and it is ${status}`);
  },
};
