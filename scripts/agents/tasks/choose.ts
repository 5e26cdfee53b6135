import { confirmAndLearn, holdAlternative } from './steps.js';
import type { Task } from './task.js';

/** The wished afternoon is gone, and the person prefers another alternative than the best. */
export const choose: Task = {
  name: 'choose',
  async run(scene) {
    const held = await holdAlternative(scene, (alternatives) => alternatives.at(-1));
    await confirmAndLearn(scene, held);
  },
};
