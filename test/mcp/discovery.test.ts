import t from 'tap';
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

interface Card {
  name: string;
  title: string;
  description: string;
  version: string;
  websiteUrl: string;
  remotes: [{ type: string; url: string; supportedProtocolVersions: string[] }];
}

const port = await freePort();
const url = `http://localhost:${port}`;
await startService(t, { ...generous, PUBLIC_BASE_URL: url, PORT: String(port) });
const card = (await (await fetch(`${url}/api/public/mcp/server-card`)).json()) as Card;
const [remote] = card.remotes;

void t.test('a client that knows only the domain finds the card and the tools', async (t) => {
  const found = await fetch(`${url}/.well-known/ai-catalog.json`);
  t.equal(found.status, 200);
  t.equal(found.headers.get('content-type'), 'application/ai-catalog+json');
  t.equal(found.headers.get('access-control-allow-origin'), '*');
  t.match(found.headers.get('cache-control'), /^public/u);
  const catalog = (await found.json()) as {
    specVersion: string;
    entries: [{ identifier: string; type: string; url: string }];
  };
  t.equal(catalog.specVersion, '1.0');
  const [entry] = catalog.entries;
  t.equal(entry.identifier, 'urn:air:localhost:mcp:booking');
  t.equal(entry.type, 'application/mcp-server-card+json');

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
  // SEP-2127 restricts the form of the name and the length of texts.
  t.match(card.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/u);
  t.ok(card.description.length <= 100);
  t.ok(card.title.length <= 100);
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
