import { load } from 'cheerio';
import t from 'tap';
import { document } from '../../generated/document.js';
import { HoldRequest, type Studio } from '../../generated/schemas.js';
import { loadConfig } from '../../src/config/config.js';
import { changeStudio } from '../../src/domain/studio/settings.js';
import { agentGuide } from '../../src/pages/guide/guide.js';
import { changesAdvice } from '../../src/views/booking.js';
import { addArtists } from '../support/artists.js';
import { until } from '../support/embedded.js';
import { generous, startService } from '../support/service.js';

const service = await startService(t, generous, { isReachable: true });
const { app, context } = service;
const url = context.config.publicBaseUrl;
const br = { 'accept-encoding': 'br' };
const read = async (path: string) => (await app.inject(path)).body;

/** The addresses of the service in a text that can be read with GET. */
function addressesIn(text: string): string[] {
  const found = text.match(new RegExp(`${url}[^\\s"'\`)<>,{]*`, 'g')) ?? [];
  return found.filter((each) => !/\/(mcp|webhooks|holds|agent-keys)$/.test(each));
}

t.test('every address in the discovery documents responds', async (t) => {
  const seen = new Set<string>();
  for (const path of [
    '/llms.txt',
    '/guide.md',
    '/guide/integrations.md',
    '/robots.txt',
    '/.well-known/api-catalog',
  ]) {
    const answer = await fetch(url + path);
    t.equal(answer.status, 200, path);
    for (const address of addressesIn(await answer.text())) seen.add(address);
    for (const [, target] of (answer.headers.get('link') ?? '').matchAll(/<([^>]+)>/g)) {
      seen.add(new URL(target!, url).href);
    }
  }
  t.ok(seen.size >= 10, `${seen.size} addresses`);
  for (const address of seen) {
    const controller = new AbortController();
    const answer = await fetch(address, { signal: controller.signal });
    const isExample = address.includes('/bookings/') || address === `${url}/api/public`;
    t.equal(answer.status, isExample ? 404 : 200, address);
    controller.abort();
  }
});

t.test('the API catalog is a linkset, and a HEAD of it has the Link header', async (t) => {
  const path = '/.well-known/api-catalog';
  const head = await app.inject({ method: 'HEAD', url: path });
  const type = /^application\/linkset\+json/;
  t.match(head.headers, { 'content-type': type, link: /rel="api-catalog"/ });
  type Link = { anchor: string } & Record<string, { href: string; type: string }[]>;
  const { linkset } = (await app.inject(path)).json<{ linkset: Link[] }>();
  const anchors = linkset.map(({ anchor }) => anchor);
  t.strictSame(anchors, [`${url}/api/public`, `${url}/api/public/mcp`]);
  for (const { anchor: _anchor, ...relations } of linkset) {
    for (const { href, type } of Object.values(relations).flat()) {
      const served = (await fetch(href)).headers.get('content-type');
      t.ok(served?.startsWith(type), `${href} is served as ${served}`);
    }
  }
});

t.test(
  'robots.txt disallows the pages of secret links, and no feed: calendars obey it',
  async (t) => {
    const disallowed = (await read('/robots.txt')).match(/(?<=^Disallow: ).*$/gm);
    t.strictSame(disallowed, ['/checkout/', '/reminders/']);
  },
);

t.test('the commands in the guide work, and show every member of a hold request', async (t) => {
  const guide = await read('/guide.md');
  const availability = /curl '([^']+\/availability[^']+)'/.exec(guide)?.[1];
  t.equal((await fetch(availability!)).status, 200);
  const [, holds, body] = /curl -X POST '([^']+\/holds)'[\s\S]*?-d '([\s\S]*?)'/.exec(guide)!;
  const headers = { 'content-type': 'application/json' };
  const held = await fetch(holds!, { method: 'POST', headers, body: body! });
  t.ok([201, 409].includes(held.status), `${held.status}`);

  const entries = Object.entries(HoldRequest.properties) as [string, { maxLength?: number }][];
  const properties = new Map(entries);
  t.strictSame(Object.keys(JSON.parse(body!) as object), [...properties.keys()]);
  const rows = [...guide.matchAll(/^\| `(\w+)` \| (yes|no) \| (.*) \|$/gm)];
  const named = rows.map(([, name]) => name);
  t.strictSame(named, [...properties.keys()]);
  for (const [, name = '', required, value] of rows) {
    t.equal(required === 'yes', HoldRequest.required.includes(name as 'date'), name);
    const { maxLength } = properties.get(name)!;
    if (maxLength !== undefined) t.match(value, new RegExp(`\\b${maxLength} characters`), name);
  }
});

t.test('the start page is the guide for clients that prefer Markdown', async (t) => {
  const guide = await read('/guide.md');
  const vary = /accept, accept-encoding/;
  for (const accept of ['text/markdown', 'text/markdown, text/html;q=0.8, */*;q=0.1']) {
    const markdown = await app.inject({ url: '/', headers: { accept } });
    t.match(markdown.headers, { 'content-type': 'text/markdown; charset=utf-8', vary });
    t.equal(markdown.body, guide);
  }
  for (const accept of [undefined, '*/*', 'text/html,application/xhtml+xml,*/*;q=0.8']) {
    const page = await app.inject({ url: '/', headers: accept === undefined ? {} : { accept } });
    t.match(page.headers, { 'content-type': /^text\/html/, vary });
    t.match(page.body, 'href="/guide"');
  }
});

t.test('the guide has what an agent must know of the studio, as it is now', async (t) => {
  const environment = { ...generous, HOLD_LIFETIME_SECONDS: '600' };
  const { app, context } = await startService(t, environment);
  const read = async () => (await app.inject('/guide.md')).body;
  const answer = await app.inject('/api/public/studio');
  const { data: studio } = answer.json<{ data: Studio }>();
  t.equal(studio.session_minutes, 240);
  t.equal(studio.notices.length, 3);
  const before = await read();
  t.match(before, 'lasts 4 hours');
  t.ok(before.length <= 6_500, `a model reads ${before.length} characters`);
  for (const { title, text } of studio.notices) {
    t.ok(before.includes(`**${title}**: ${text}`), title);
  }
  const away =
    /lasts 10 minutes .*Do not hold for a person who is asleep or away.*holds the time again at one press/;
  t.match(before, away);
  for (const said of [changesAdvice, 'You get no id', 'hello@nightheron.example']) {
    t.ok(before.includes(said), said);
  }
  const here = 'opens on this machine only';
  t.notMatch(before, here);
  const onMonday = agentGuide(context.config, 'link', studio, '2026-11-30');
  t.match(onMonday, /"date": "2026-12-08"/, 'which has sessions, and 2026-12-07 has none');
  const atHome = { ...context.config, publicBaseUrl: 'http://192.168.1.20:3000' };
  const opens = /it opens where that address can be reached.*\n[^]*## The studio/;
  t.match(agentGuide(atHome, 'link', studio, '2026-11-30'), opens);
  const online = { ...context.config, publicBaseUrl: 'https://book.example.com' };
  t.match(agentGuide(online, 'link', studio, '2026-11-30'), 'opens on any device');
  t.match((await service.app.inject('/guide.md')).body, here, 'on a loopback address');

  t.notMatch(before, 'artist', 'of one');
  await addArtists(context, 2);
  const links = ['mara', 'jon'].map(
    (slug) => `${context.config.publicBaseUrl}/book?artist=${slug}`,
  );
  for (const link of links) t.ok((await read()).includes(`(${link})`), 'a whole address');
  t.match((await app.inject('/llms.txt')).body, /or wants a certain artist: http.*,artist\}/);

  await changeStudio(context, 'ada@desk', { description: 'Only\nherons.' });
  await until(async () => (await read()).includes('Only herons.'));
  t.match((await app.inject('/guide')).body, 'Only herons.');
});

t.test('the reference shows every operation and type, both guides all their text', async (t) => {
  const pages = ['/docs/', '/guide', '/guide/integrations'];
  for (const path of pages) {
    const answer = await app.inject(path);
    const $ = load(answer.body);
    t.ok(answer.rawPayload.length <= 300_000, `${path}: ${answer.rawPayload.length} bytes`);
    t.equal($('script').length, 0, path);
    const condition = { 'if-none-match': String(answer.headers.etag) };
    t.equal((await app.inject({ url: path, headers: condition })).statusCode, 304, path);
    t.equal((await app.inject({ url: path, headers: br })).headers['content-encoding'], 'br', path);
    for (const link of $('a[href^="#"]').get()) t.equal($(link.attribs['href']!).length, 1);
    if (path !== '/docs/') {
      // All letters in their order, without the marks of Markdown.
      const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu)!.join('');
      const links = /\]\([^)]*\)|^```.*|^\| ---.*/gm;
      t.equal(words($('main').text()), words((await read(`${path}.md`)).replace(links, '')), path);
      continue;
    }
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const ids = operations.map((each) => (each as { operationId: string }).operationId);
    for (const id of [...ids, ...Object.keys(document.components.schemas)]) {
      t.equal($(`#${id}`).length, 1, id);
    }
    t.match($('section:has(> #createHold)').text(), /POST \/api\/public\/holds.*Idempotency-Key/s);
    t.match($('section:has(> #HoldRequest)').text(), /name required.*at most 120 characters/s);
  }
});

t.test('the reference works with a malformed Host header', async (t) => {
  for (const host of ['[', 'a b', '']) {
    t.equal((await app.inject({ url: '/docs/', headers: { host } })).statusCode, 200, host);
    const answer = await app.inject({ url: '/docs', headers: { host } });
    t.match(answer, { statusCode: 301, headers: { location: '/docs/' } });
  }
});

/** The fields of a security.txt (RFC 9116), each a line. */
function fieldsOf(text: string): Map<string, string> {
  const lines = text.trimEnd().split('\n');
  return new Map(lines.map((line) => /^([\w-]+): (\S+)$/.exec(line)?.slice(1) as [string, string]));
}

t.test('a vulnerability is reported to the studio, or to the contact that is named', async (t) => {
  const answer = await app.inject('/.well-known/security.txt');
  t.match(answer, { statusCode: 200, headers: { 'content-type': 'text/plain; charset=utf-8' } });
  const { Expires: expires, ...fields } = Object.fromEntries(fieldsOf(answer.body));
  const { email } = (await context.board.read()).studio;
  t.strictSame(fields, { Contact: `mailto:${email}`, 'Preferred-Languages': 'en' });
  const leftDays = (Date.parse(expires!) - context.clock.now()) / 86_400_000;
  t.ok(leftDays > 30 && leftDays < 365, `${leftDays} days`);

  const [contact, base] = ['https://example.com/security', 'https://book.example.com'];
  const named = { SECURITY_CONTACT: contact, PUBLIC_BASE_URL: base };
  const elsewhere = await startService(t, { ...generous, ...named });
  const text = (await elsewhere.app.inject('/.well-known/security.txt')).body;
  t.equal(fieldsOf(text).get('Contact'), contact);
  t.equal(fieldsOf(text).get('Canonical'), `${base}/.well-known/security.txt`);
  const message = /^SECURITY_CONTACT must be an address such as mailto:/;
  for (const wrong of ['security@example.com', 'http://example.com', 'tel:+15555550142']) {
    const load = () => loadConfig({ SECURITY_CONTACT: wrong });
    t.throws(load, { name: 'ConfigError', message }, wrong);
  }
});

t.test(
  'the privacy page says what is kept, by the settings, or leads to the policy of the studio',
  async (t) => {
    const days = { RETENTION_UNCONFIRMED_DAYS: '7', RETENTION_CONFIRMED_DAYS: '90' };
    const { app, context } = await startService(t, { ...generous, ...days });
    const answer = await app.inject('/privacy');
    t.match(answer, { statusCode: 200, headers: { 'content-type': /^text\/html/, etag: /./ } });
    const $ = load(answer.body);
    t.match(
      $('main').text(),
      /for 7 days after a hold lapsed.*for 90 days after a confirmed session/,
    );
    const { studio } = await context.board.read();
    for (const text of [studio.email, ...studio.notices.map(({ text }) => text)]) {
      t.ok($('main').text().includes(text), text);
    }
    t.equal($('meta[name=robots]').length, 0, 'may be found');
    for (const url of ['/', '/book', '/privacy', '/nowhere']) {
      const page = await app.inject({ url, headers: { accept: 'text/html' } });
      t.equal(load(page.body)('footer a[rel=privacy-policy]').attr('href'), '/privacy', url);
    }
    t.match(await read('/guide/integrations.md'), `${url}/privacy`);
    const own = { ...generous, PRIVACY_URL: 'https://nightheron.example/privacy' };
    const elsewhere = await (await startService(t, own)).app.inject('/privacy');
    t.match(elsewhere, { statusCode: 302, headers: { location: own.PRIVACY_URL } });
  },
);
