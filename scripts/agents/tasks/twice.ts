import { addDays } from '../../../src/schedule/dates.js';
import { dataOf } from '../agent.js';
import { afternoonsOf, confirmAndLearn, listTwoWeeks } from './steps.js';
import type { Task } from './task.js';

/** Two sessions, the second a week after the first, at the same time. */
export const twice: Task = {
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
