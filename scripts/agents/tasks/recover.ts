import { holdAlternative } from './steps.js';
import type { Task } from './task.js';

/** Another caller takes the slot after the agent has read that it is open. */
export const recover: Task = {
  name: 'recover',
  async run(scene) {
    await holdAlternative(scene, ([best]) => best);
  },
};
