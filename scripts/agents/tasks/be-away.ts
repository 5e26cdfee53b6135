import { UriTemplate } from '@modelcontextprotocol/sdk/shared/uriTemplate.js';
import { afternoonsOf, expect, listTwoWeeks } from './steps.js';
import type { Task } from './task.js';

/** The person will be back in some hours: the agent holds nothing, and gives a link that does. */
export const beAway: Task = {
  name: 'be away',
  async run({ agent, bookAt }) {
    const open = await listTwoWeeks(agent);
    const [time] = afternoonsOf(open);
    expect(time !== undefined, 'an open afternoon');
    expect(open.book_url_template !== undefined, 'a link for a person who is away');
    const page = await bookAt(new UriTemplate(open.book_url_template).expand({ ...time }));
    expect(page.includes('Your session is confirmed'), 'the person books at the link');
    expect(page.includes(time.date), 'at the time of the link');
  },
};
