import t from 'tap';
import { freePort } from '../support/process.js';
import { generous, startTestService } from '../support/service.js';

async function start(t: Parameters<typeof startTestService>[0]): Promise<string> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  await startTestService(t, { ...generous, PUBLIC_BASE_URL: url, PORT: String(port) });
  return url;
}

/** The addresses of the service in a text that can be read with GET. */
function addressesIn(text: string, base: string): string[] {
  const found = text.match(new RegExp(`${base}[^\\s"'\`)<>,]*`, 'g')) ?? [];
  return [...new Set(found)].filter((each) => !/\/(mcp|webhooks|holds|agent-keys)$/.test(each));
}

void t.test('every address in the discovery documents responds', async (t) => {
  const url = await start(t);
  const seen = new Set<string>();
  for (const path of ['/llms.txt', '/guide.md', '/robots.txt', '/.well-known/api-catalog']) {
    const answer = await fetch(url + path);
    t.equal(answer.status, 200, path);
    for (const address of addressesIn(await answer.text(), url)) seen.add(address);
    for (const [, target] of (answer.headers.get('link') ?? '').matchAll(/<([^>]+)>/g)) {
      seen.add(new URL(target!, url).href);
    }
  }
  t.ok(seen.size >= 10, `${seen.size} addresses`);
  for (const address of seen) {
    const controller = new AbortController();
    const answer = await fetch(address, { signal: controller.signal });
    const expected = address.includes('/bookings/')
      ? 404
      : address === `${url}/api/public`
        ? 404
        : 200;
    t.equal(answer.status, expected, address);
    controller.abort();
  }
});

void t.test('the API catalog is a linkset, and a HEAD of it has the Link header', async (t) => {
  const url = await start(t);
  const head = await fetch(`${url}/.well-known/api-catalog`, { method: 'HEAD' });
  t.equal(head.status, 200);
  t.match(head.headers.get('content-type'), /^application\/linkset\+json/);
  t.match(head.headers.get('link'), /rel="api-catalog"/);
  const catalog = (await (await fetch(`${url}/.well-known/api-catalog`)).json()) as {
    linkset: ({ anchor: string } & Record<string, { href: string; type: string }[]>)[];
  };
  t.strictSame(
    catalog.linkset.map((entry) => entry.anchor),
    [`${url}/api/public`, `${url}/api/public/mcp`],
  );
  for (const { anchor: _anchor, ...relations } of catalog.linkset) {
    for (const { href, type } of Object.values(relations).flat()) {
      const served = (await fetch(href)).headers.get('content-type');
      t.ok(served?.startsWith(type), `${href} is served as ${served}`);
    }
  }
});

void t.test('robots.txt disallows what is behind a secret link, and nothing else', async (t) => {
  const url = await start(t);
  const robots = await (await fetch(`${url}/robots.txt`)).text();
  t.strictSame(robots.match(/^Disallow: .*$/gm), [
    'Disallow: /calendar/',
    'Disallow: /checkout/',
    'Disallow: /reminders/',
  ]);
});

void t.test('the commands in the guide work', async (t) => {
  const url = await start(t);
  const guide = await (await fetch(`${url}/guide.md`)).text();
  const availability = /curl '([^']+\/availability[^']+)'/.exec(guide)?.[1];
  t.equal((await fetch(availability!)).status, 200);
  const [, holds, body] = /curl -X POST '([^']+\/holds)'[\s\S]*?-d '([\s\S]*?)'/.exec(guide)!;
  const held = await fetch(holds!, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: body!,
  });
  t.ok([201, 409].includes(held.status), `${held.status}`);
});
