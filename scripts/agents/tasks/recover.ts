import { dataOf, refusalOf } from '../agent.js';
import { expect, findOpenAfternoon } from './steps.js';
import type { Task } from './task.js';

/** Another caller takes the slot after the agent has read that it is open. */
export const recover: Task = {
  name: 'recover',
  async run({ agent, person, takeSlot }) {
    const time = await findOpenAfternoon(agent);
    await takeSlot(time);
    const refused = await agent.hold({ ...time, ...person });
    const [alternative] = refusalOf(refused, 'slot_unavailable').alternatives ?? [];
    expect(alternative !== undefined, 'an alternative');
    const { date, time_slot } = alternative;
    const held = dataOf(await agent.hold({ date, time_slot, ...person }));
    expect(held.date === date && held.time_slot === time_slot, 'the alternative is held');
  },
};
