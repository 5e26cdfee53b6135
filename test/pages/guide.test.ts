import t from 'tap';
import { HoldRequest } from '../../generated/schemas.js';
import { changeStudio } from '../../src/domain/studio-settings.js';
import { until } from '../support/embedded.js';
import { generous, startTestService } from '../support/service.js';

t.test(
  'the guide shows the whole hold request: every member, required or not, its bounds',
  async (t) => {
    const { app } = await startTestService(t, generous);
    const guide = (await app.inject('/guide.md')).body;
    const rows = [...guide.matchAll(/^\| `(\w+)` \| (yes|no) \| (.*) \|$/gm)];
    const properties = Object.entries(HoldRequest.properties) as [string, { maxLength?: number }][];
    t.strictSame(
      rows.map(([, name]) => name),
      properties.map(([name]) => name),
    );
    for (const [, name = '', required, value] of rows) {
      t.equal(required === 'yes', HoldRequest.required.includes(name as 'date'), name);
      const { maxLength } = Object.fromEntries(properties)[name]!;
      if (maxLength !== undefined) t.match(value, new RegExp(`\\b${maxLength} characters`), name);
    }
    const body = /-d '(\{"date"[^']*)'/.exec(guide)?.[1] ?? '';
    t.strictSame(
      Object.keys(JSON.parse(body) as object),
      properties.map(([name]) => name),
    );
  },
);

t.test('the guide has what an agent must know of the studio, as it is now', async (t) => {
  const { app, context } = await startTestService(t, generous);
  const studio = (await app.inject('/api/public/studio')).json<{
    data: { notices: { title: string; text: string }[]; session_minutes: number };
  }>().data;
  t.equal(studio.session_minutes, 240);
  t.equal(studio.notices.length, 3);
  const before = (await app.inject('/guide.md')).body;
  t.match(before, 'lasts 4 hours');
  for (const { title, text } of studio.notices)
    t.ok(before.includes(`**${title}**: ${text}`), title);

  await changeStudio(context, 'ada@desk', { description: 'Only\nherons.' });
  await until(async () => (await app.inject('/guide.md')).body.includes('Only herons.'));
  t.match((await app.inject('/docs/openapi.json')).body, 'Only herons.');
});

t.test(
  'the start page is the guide for clients that prefer Markdown, and links it for all',
  async (t) => {
    const { app } = await startTestService(t, generous);
    const guide = (await app.inject('/guide.md')).body;
    for (const accept of ['text/markdown', 'text/markdown, text/html;q=0.8, */*;q=0.1']) {
      const markdown = await app.inject({ url: '/', headers: { accept } });
      t.equal(markdown.headers['content-type'], 'text/markdown; charset=utf-8');
      t.match(markdown.headers['vary'], /accept, accept-encoding/);
      t.equal(markdown.body, guide);
    }
    for (const accept of [undefined, '*/*', 'text/html,application/xhtml+xml,*/*;q=0.8']) {
      const page = await app.inject({ url: '/', headers: accept === undefined ? {} : { accept } });
      t.match(page.headers['content-type'], /^text\/html/);
      t.match(page.headers['vary'], /accept, accept-encoding/);
      t.match(page.body, 'href="/guide.md"');
    }
  },
);

t.test(
  'only a service on a loopback address says that its links open on this machine only',
  async (t) => {
    const PUBLIC_BASE_URL = 'http://127.0.0.1:3000';
    const local = await startTestService(t, { ...generous, PUBLIC_BASE_URL });
    t.match((await local.app.inject('/guide.md')).body, 'opens on this machine only');
    const { app } = await startTestService(t, generous);
    t.notMatch((await app.inject('/guide.md')).body, 'this machine');
  },
);

t.test('the guide says what to do for a person who is away', async (t) => {
  const { app } = await startTestService(t, { ...generous, HOLD_LIFETIME_SECONDS: '600' });
  const guide = (await app.inject('/guide.md')).body;
  t.match(
    guide,
    /lasts 10 minutes .*Do not hold for a person who is asleep or away.*holds the time again at one press/,
  );
});
