import { dataOf } from '../agent.js';
import { startReceiver } from '../receiver.js';
import { expect, holdAfternoon } from './steps.js';
import type { Task } from './task.js';

export const subscribe: Task = {
  name: 'subscribe',
  async run(scene) {
    const { webhooks } = scene.agent;
    expect(webhooks !== undefined, 'webhooks');
    const receiver = await startReceiver();
    try {
      const request = { url: receiver.url, events: ['booking.confirmed' as const] };
      const { signing_secret, manage_token } = dataOf(await webhooks.subscribe(request));
      const held = await holdAfternoon(scene);
      await scene.confirm(held.checkout_url);
      const { type, data } = await receiver.nextEvent(signing_secret);
      expect(type === 'booking.confirmed' && data.id === held.id, 'the event of this booking');
      const { deleted } = dataOf(await webhooks.unsubscribe(manage_token));
      expect(deleted, 'the subscription is deleted');
    } finally {
      await receiver.close();
    }
  },
};
