import { expect, holdAfternoon } from './steps.js';
import type { Task } from './task.js';

export const hold: Task = {
  name: 'hold',
  async run(scene) {
    const { checkout_url, starts_at } = await holdAfternoon(scene);
    const { status, text } = await scene.openLink(checkout_url);
    expect(status === 200, `the link opens, and answered ${status}`);
    expect(text.includes(starts_at), 'the page names the slot');
  },
};
