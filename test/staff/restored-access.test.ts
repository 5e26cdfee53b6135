import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import t from 'tap';
import { addCalendarFeed, removeCalendarFeed } from '../../src/domain/calendar-feeds.js';
import { runStudio } from '../../src/staff/program.js';
import { environmentOnServer, fill } from '../support/backup.js';
import { query, temporaryFolder } from '../support/embedded.js';
import { studioIn } from '../support/studio.js';
import { startWholeService } from '../support/whole-service.js';

const secret = 'one key';

/** Answers every question with a line of its own. Returns what was written to standard error. */
async function runAnswering(
  environment: Record<string, string>,
  args: string[],
  answers: string[],
): Promise<{ code: number; asked: string }> {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  // A process's standard error cannot be ended either.
  stderr.end = () => stderr;
  let asked = '';
  stderr.on('data', (chunk: Buffer) => {
    asked += chunk.toString();
    if (!/\(y\/N\)\u001b\[\d+G$/.test(chunk.toString())) return;
    const answer = answers.shift();
    setImmediate(() => stdin.write(`${answer}\n`));
  });
  const { signal } = new AbortController();
  const terminal = { stdin, stdout: new PassThrough().resume(), stderr, environment };
  const code = await runStudio(args, { ...terminal, interrupted: signal });
  return { code, asked };
}

void t.test('a restore lists what it revives, or says that it cannot know', async (t) => {
  const file = join(await temporaryFolder(t), 'studio.backup');
  const old = await environmentOnServer(t, secret);
  const service = await startWholeService(t, old);
  await fill(service);
  const { context } = service;
  const feeds = await Promise.all(
    ['Removed', 'Kept'].map((label) =>
      addCalendarFeed(context, 'ada@desk', { label, hasDetails: true }),
    ),
  );
  await studioIn(old)('backup', file);
  const [removed] = feeds;
  if (removed?.outcome !== 'added') throw new Error('not issued');
  await removeCalendarFeed(context, 'ada@desk', removed.issued.feed.id);
  await studioIn(old)('bookings', 'forget', 'ada@example.com', '--cancel-bookings', '--yes');
  await service.stop();

  const fresh = await environmentOnServer(t, secret);
  const restore = ['restore', file];
  const blind = await runAnswering(fresh, restore, ['n']);
  t.match(blind, { code: 4, asked: /cannot be known here/ });
  const replaces = [...restore, '--replaces', old['DATABASE_URL']!];
  const refused = await runAnswering(fresh, replaces, ['y', 'n']);
  t.match(refused, { code: 4, asked: /calendar feed +Removed[^]*Revive/ });
  t.notMatch(refused.asked, /Kept/);
  const bookings = 'select from bookings';
  t.equal((await query(fresh['DATABASE_URL']!, bookings)).length, 0, 'nothing is restored');
  const { code, asked } = await runAnswering(fresh, replaces, ['y', 'y']);
  t.equal(code, 0, asked);
  t.equal((await query(fresh['DATABASE_URL']!, bookings)).length, 3);
  const again = await environmentOnServer(t, secret);
  const result = await studioIn(again)(...restore, '--yes', '--json');
  t.match(result.json(), { revived: null });
});
