import t from 'tap';
import {
  addCalendarFeed,
  feedPath,
  removeCalendarFeed,
  rotateCalendarFeed,
} from '../../src/domain/calendar-feeds.js';
import { startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';

const actor = 'ada@desk';
const { app, context, logLines } = await startService(t);
t.beforeEach(() => startOver(context));

t.test('no log, event or audit has the token or the label, and no row the token', async (t) => {
  const added = await addCalendarFeed(context, actor, {
    label: 'Quirinas Phone',
    hasDetails: true,
  });
  if (added.outcome === 'refused') throw new Error(added.message);
  const { feed, token } = added.issued;
  await app.inject(feedPath(token));
  await app.inject({ method: 'POST', url: feedPath(token) });
  await app.inject(`/calendar/${token}`);
  const rotated = await rotateCalendarFeed(context, actor, feed.id);
  await app.inject(feedPath(rotated!.token));
  const rowsOf = async (tables: string[]): Promise<string> => {
    const texts = tables.map((table) =>
      context.pool.query<{ text: string }>(`select ${table}::text as text from ${table}`),
    );
    return (await Promise.all(texts)).flatMap(({ rows }) => rows.map(({ text }) => text)).join();
  };
  const stored = await rowsOf(['calendar_feeds']);
  t.match(stored, feed.id);
  await removeCalendarFeed(context, actor, feed.id);
  await app.inject(feedPath(rotated!.token));
  t.match(logLines.join(''), '/calendar/:token.ics', 'the requests are in the log');
  for (const told of [logLines.join(''), await rowsOf(['audit_log', 'events'])]) {
    for (const secret of [token, rotated!.token, 'Quirina']) t.notMatch(told, secret);
  }
  for (const secret of [token, rotated!.token]) t.notMatch(stored, secret);
  const audit = await context.database
    .selectFrom('audit_log')
    .select(['actor', 'action', 'details'])
    .orderBy('position')
    .execute();
  const details = { feed_id: feed.id, has_details: true };
  t.strictSame(
    audit,
    (['add', 'rotate', 'remove'] as const).map((verb) => ({
      actor,
      action: `calendar feed ${verb}`,
      details,
    })),
  );
});

t.test('there are never more than 20 feeds, also when they are added at once', async (t) => {
  const outcomes = await Promise.all(
    Array.from({ length: 25 }, (_, index) =>
      addCalendarFeed(context, actor, { label: `Phone ${index}`, hasDetails: false }),
    ),
  );
  t.equal(outcomes.filter(({ outcome }) => outcome === 'added').length, 20);
  t.match(
    outcomes.find(({ outcome }) => outcome === 'refused'),
    { message: 'There are 20 feeds already: remove one first.' },
  );
  const { rows } = await context.pool.query(
    'select (select count(*)::int from calendar_feeds) as feeds, (select count(*)::int from audit_log) as audits',
  );
  t.strictSame(rows, [{ feeds: 20, audits: 20 }]);
});

t.test('a label is 1 to 60 characters on one line, of which one can be seen', async (t) => {
  const add = (label: string) => addCalendarFeed(context, actor, { label, hasDetails: false });
  for (const label of ['', ' \t', '\u200b\u2800', 'x'.repeat(61), '🖋'.repeat(61)]) {
    t.match(await add(label), { outcome: 'refused', message: /60 characters that can be seen/ });
  }
  for (const [typed, label] of [
    [' Ada’s\r\n phone\u0007 ', 'Ada’s phone'],
    ['🖋'.repeat(60), '🖋'.repeat(60)],
  ] as const) {
    t.match(await add(typed), { outcome: 'added', issued: { feed: { label } } });
  }
});
