import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import t from 'tap';
import { startDemo } from '../../scripts/demo/demo.js';
import { openLiveStream } from '../support/live-stream.js';
import { compiledFile } from '../support/project.js';

const leftovers = async () =>
  (await readdir(tmpdir())).filter((name) => name.startsWith('tattoo-studio-demo-')).sort();

void t.test('the demo fills a week, changes by itself, and leaves nothing behind', async (t) => {
  const before = await leftovers();
  const closing = new AbortController();
  let onPrint: () => void = () => undefined;
  const somethingHappened = new Promise<void>((resolve) => (onPrint = resolve));
  const demo = await startDemo({ port: 0, print: onPrint, signal: closing.signal });

  const dashboard = await fetch(demo.url);
  t.equal(dashboard.status, 200);
  const viewing = await openLiveStream(t, demo.url);
  await somethingHappened;
  const pulse = await viewing.next(
    ({ event, data }) => event === 'pulse' && data.pending_holds > 0,
  );
  t.match(pulse, { data: { confirmed_upcoming: Number } });
  t.ok(pulse.event === 'pulse' && pulse.data.confirmed_upcoming > 10, 'a week is booked');

  closing.abort();
  await demo.ended;
  t.strictSame(await leftovers(), before);
});

void t.test(
  'a Ctrl-C that arrives twice, as through npm, ends the demo and leaves no data',
  async (t) => {
    const before = await leftovers();
    const demo = spawn(process.execPath, [compiledFile('scripts/demo.ts')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.teardown(() => demo.kill('SIGKILL'));
    const ended = once(demo, 'exit');
    let url = '';
    for await (const line of createInterface({ input: demo.stdout })) {
      url ||= /http:\S+/.exec(line)?.[0] ?? '';
      if (line.includes('Ctrl-C ends the demo')) break;
    }
    demo.kill('SIGINT');
    const isServed = () =>
      fetch(url)
        .then(({ ok }) => ok)
        .catch(() => false);
    while (await isServed());
    demo.kill('SIGINT');
    t.strictSame(await ended, [0, null]);
    t.strictSame(await leftovers(), before);
  },
);
