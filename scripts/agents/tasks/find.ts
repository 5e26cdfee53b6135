import { daysAhead, expect, findOpenAfternoon } from './steps.js';
import type { Task } from './task.js';

export const find: Task = {
  name: 'find',
  async run({ agent, firstAfternoon }) {
    const found = await findOpenAfternoon(agent);
    const open = await firstAfternoon(daysAhead);
    expect(found.date === open?.date && found.time_slot === open.time_slot, 'the first afternoon');
  },
};
