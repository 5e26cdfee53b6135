import t from 'tap';
import type { ServerCard } from '../../generated/schemas.js';
import { identityOf } from '../../src/mcp/connector.js';
import { documentCompiler, readDocument } from '../support/document.js';
import {
  connectClient,
  connectModernClient,
  legacyRequest,
  modernRequest,
  post,
} from '../support/mcp.js';
import { freePort } from '../support/process.js';
import { generous, startService } from '../support/service.js';

const port = await freePort();
const url = `http://localhost:${port}`;
await startService(t, { ...generous, PUBLIC_BASE_URL: url, PORT: String(port) });
const card = (await (await fetch(`${url}/api/public/mcp/server-card`)).json()) as ServerCard;
const remote = card.remotes[0]!;

void t.test('a client that knows only the domain finds the card and the tools', async (t) => {
  const found = await fetch(`${url}/.well-known/ai-catalog.json`);
  t.equal(found.status, 200);
  t.match(Object.fromEntries(found.headers), {
    'content-type': 'application/ai-catalog+json',
    'access-control-allow-origin': '*',
    'cache-control': /^public/u,
  });
  const catalog = (await found.json()) as { entries: [{ type: string; url: string }] };
  const type = 'application/mcp-server-card+json';
  const identifier = 'urn:air:localhost:mcp:booking';
  t.match(catalog, { specVersion: '1.0', entries: [{ identifier, type }] });
  const [entry] = catalog.entries;
  const answered = await fetch(entry.url, { headers: { accept: entry.type } });
  t.equal(answered.status, 200);
  t.equal(answered.headers.get('content-type'), entry.type);
  t.strictSame(await answered.json(), card);
  const base = new URL(remote.url).origin;
  for (const client of [await connectClient(t, base), await connectModernClient(t, base, 'auto')]) {
    t.equal((await client.list()).length, 4);
    t.ok(remote.supportedProtocolVersions.includes(client.revision ?? ''));
    const { remotes: _remotes, ...identity } = card;
    t.match(identity, client.serverInfo ?? {});
  }
});

void t.test('the card is as documented, and every revision on it is served', async (t) => {
  const isCard = documentCompiler(readDocument())('#/components/schemas/ServerCard');
  t.ok(isCard(card), JSON.stringify(isCard.errors));
  // SEP-2127 restricts the form of the name and the length of the title.
  t.match(card, { name: /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/u, title: /^.{1,100}$/u });
  t.ok(remote.supportedProtocolVersions.includes('2026-07-28'));
  for (const revision of remote.supportedProtocolVersions) {
    const { body, headers } =
      revision >= '2026'
        ? modernRequest('tools/list')
        : { body: legacyRequest('tools/list'), headers: { 'mcp-protocol-version': revision } };
    t.equal((await post(url, body, headers)).status, 200, revision);
  }
});

void t.test('the entry for an MCP registry names what the server card does', async (t) => {
  const answered = await fetch(`${url}/.well-known/mcp/server.json`);
  t.equal(answered.headers.get('content-type'), 'application/json');
  const { name, title, description, version, websiteUrl } = card;
  t.match(version, /^\d+\.\d+\.\d+$/u);
  // The members that the format of 2025-12-11 has for remote servers.
  t.strictSame(await answered.json(), {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    ...{ name, title, version, description, websiteUrl },
    remotes: [{ type: 'streamable-http', url: `${url}/api/public/mcp` }],
  });
});

void t.test('the name is the reversed host of PUBLIC_BASE_URL', (t) => {
  for (const [address, name] of [
    ['https://book.example.com', 'com.example.book/booking'],
    ['http://127.0.0.1:3000', '127.0.0.1/booking'],
    ['http://[::1]:3000', 'localhost/booking'],
  ] as const) {
    t.equal(identityOf(address).name, name);
  }
  t.end();
});
