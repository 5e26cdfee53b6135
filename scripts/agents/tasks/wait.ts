import { confirmAndLearn, holdAfternoon } from './steps.js';
import type { Task } from './task.js';

export const wait: Task = {
  name: 'wait',
  async run(scene) {
    await confirmAndLearn(scene, await holdAfternoon(scene));
  },
};
