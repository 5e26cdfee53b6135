import type { Context } from '../../src/context.js';
import { addCalendarFeed, feedPath } from '../../src/domain/studio/calendar-feeds.js';
import { readCalendar } from './ical.js';
import type { TestService } from './service.js';

/** A feed, and the path of its address. */
export async function addFeed(context: Pick<Context, 'database'>, hasDetails = false) {
  const feed = { label: 'Phone', hasDetails };
  const added = await addCalendarFeed(context, 'ada@desk', feed);
  if (added.outcome === 'refused') throw new Error(added.message);
  const { token } = added.issued;
  return { id: added.issued.feed.id, token, path: feedPath(token) };
}

/** What a calendar program reads at the address. */
export async function readFeed({ app }: Pick<TestService, 'app'>, path: string) {
  const answer = await app.inject(path);
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`);
  return { ...readCalendar(answer.body), answer };
}
