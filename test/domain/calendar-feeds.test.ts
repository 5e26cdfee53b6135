import t from 'tap';
import { changeArtistWeek } from '../../src/domain/studio/artist-weeks.js';
import {
  addCalendarFeed,
  feedPath,
  removeCalendarFeed,
  rotateCalendarFeed,
} from '../../src/domain/studio/calendar-feeds.js';
import { addClosure } from '../../src/domain/studio/closures.js';
import { listAuditRows } from '../../src/repositories/audit.js';
import { addDays, weekdayOf } from '../../src/schedule/dates.js';
import { addArtists } from '../support/artists.js';
import { addPerson } from '../support/console.js';
import { someOpenSlots } from '../support/requests.js';
import { startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';

const actor = 'ada@desk';
const { app, context, logLines } = await startService(t);
t.beforeEach(() => startOver(context));

t.test('no log, event or audit has the token or the label, and no row the token', async (t) => {
  const feed = { label: 'Quirinas Phone', hasDetails: true };
  const added = await addCalendarFeed(context, actor, feed);
  if (added.outcome === 'refused') throw new Error(added.message);
  const {
    feed: { id },
    token,
  } = added.issued;
  await app.inject(feedPath(token));
  await app.inject({ method: 'POST', url: feedPath(token) });
  await app.inject(`/calendar/${token}`);
  const rotated = await rotateCalendarFeed(context, actor, id);
  await app.inject(feedPath(rotated!.token));
  const rowsOf = async (tables: string[]): Promise<string> => {
    const texts = tables.map((table) =>
      context.pool.query<{ text: string }>(`select ${table}::text as text from ${table}`),
    );
    return (await Promise.all(texts)).flatMap(({ rows }) => rows.map(({ text }) => text)).join();
  };
  const stored = await rowsOf(['calendar_feeds']);
  t.match(stored, id);
  await removeCalendarFeed(context, actor, id);
  await app.inject(feedPath(rotated!.token));
  t.match(logLines.join(''), '/calendar/:token.ics', 'the requests are in the log');
  for (const told of [logLines.join(''), await rowsOf(['audit_log', 'events'])]) {
    for (const secret of [token, rotated!.token, 'Quirina']) t.notMatch(told, secret);
  }
  for (const secret of [token, rotated!.token]) t.notMatch(stored, secret);
  const by = { actor, details: { feed_id: id, has_details: true } };
  const verbs = ['remove', 'rotate', 'add'];
  const expected = verbs.map((verb) => ({ ...by, action: `calendar feed ${verb}` }));
  t.match(await listAuditRows(context.database, 3), expected);
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
  t.equal((await listAuditRows(context.database, 100)).length, 20);
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

t.test('the feed of an artist has their sessions and closures, and names nobody', async (t) => {
  const [mara, jon] = await addArtists(context, 2);
  const [slot] = await someOpenSlots(context, 1);
  for (const [artist, name] of [
    [mara, 'Ida'],
    [jon, 'Cora'],
  ] as const) {
    await addPerson({ context }, { ...slot!, artistId: artist!.id }, { name });
  }
  const days = { fromDate: slot!.date, toDate: slot!.date, timeSlot: null };
  for (const [reason, artistId] of [
    ['Dentist', mara!.id],
    ['Ill', jon!.id],
    ['Holiday', null],
  ] as const) {
    await addClosure(context, actor, { ...days, reason, artistId });
  }
  const read = async (artistId: number | null) => {
    const feed = { label: 'Phone', hasDetails: true, artistId };
    const added = await addCalendarFeed(context, actor, feed);
    const path = feedPath(added.outcome === 'added' ? added.issued.token : '');
    return (await app.inject(path)).body;
  };
  const summaries = async (artistId: number | null) =>
    [...(await read(artistId)).matchAll(/^SUMMARY:(.*)\r$/gm)]
      .map(([, summary]) => summary!)
      .toSorted();
  t.strictSame(await summaries(mara!.id), ['Closed', 'Closed: Dentist', 'Ida']);
  const closed = ['Closed for Jon: Ill', 'Closed for Mara: Dentist', 'Closed: Holiday'];
  t.strictSame(await summaries(null), [...closed, 'Cora with Jon', 'Ida with Mara']);

  const later = addDays(slot!.date, 7);
  const evening = { fromDate: later, toDate: later, timeSlot: '5:00 PM', reason: '' } as const;
  await addClosure(context, actor, { ...evening, artistId: null });
  const hours = { opens: '12:00', closes: '18:00' };
  const day = { weekday: weekdayOf(later), sessions: [evening.timeSlot], hours };
  t.match(await changeArtistWeek(context, actor, 'jon', [day]), { outcome: 'saved' });
  await context.board.refresh();
  const end = `DTEND;TZID=America/Los_Angeles:${later.replaceAll('-', '')}T180000`;
  t.match(await read(jon!.id), end, 'a closed session ends as theirs');
  for (const feed of [mara!.id, null]) t.notMatch(await read(feed), end);
});
