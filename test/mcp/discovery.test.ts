import { Ajv } from 'ajv';
import t from 'tap';
import { documentCompiler, readDocument } from '../support/document.js';
import {
  connectClient,
  connectModernClient,
  legacyRequest,
  modernRequest,
  post,
} from '../support/mcp.js';
import { freePort } from '../support/process.js';
import { generous, startTestService } from '../support/service.js';

interface Card {
  name: string;
  title: string;
  description: string;
  version: string;
  websiteUrl: string;
  remotes: { type: string; url: string; supportedProtocolVersions: string[] }[];
}

void t.test(
  'a client that knows only the domain finds the catalog, the card and the tools',
  async (t) => {
    const port = await freePort();
    const url = `http://localhost:${port}`;
    await startTestService(t, { ...generous, PUBLIC_BASE_URL: url, PORT: String(port) });

    const found = await fetch(`${url}/.well-known/ai-catalog.json`);
    t.equal(found.status, 200);
    t.equal(found.headers.get('content-type'), 'application/ai-catalog+json');
    t.equal(found.headers.get('access-control-allow-origin'), '*');
    t.match(found.headers.get('cache-control'), /^public/u);
    const catalog = (await found.json()) as {
      specVersion: string;
      entries: { identifier: string; type: string; url: string }[];
    };
    t.equal(catalog.specVersion, '1.0');
    const [entry] = catalog.entries;
    t.equal(entry?.identifier, 'urn:air:localhost:mcp:booking');
    t.equal(entry?.type, 'application/mcp-server-card+json');

    const answered = await fetch(entry!.url, { headers: { accept: entry!.type } });
    t.equal(answered.status, 200);
    t.equal(answered.headers.get('content-type'), entry!.type);
    const card = (await answered.json()) as Card;
    const isCard = documentCompiler(readDocument())('#/components/schemas/ServerCard');
    t.ok(isCard(card), JSON.stringify(isCard.errors));
    // SEP-2127 restricts the form of the name and the length of texts.
    t.match(card.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/u);
    t.ok(card.description.length <= 100);
    t.ok(card.title.length <= 100);

    const [remote] = card.remotes;
    const base = new URL(remote!.url).origin;
    for (const client of [
      await connectClient(t, base),
      await connectModernClient(t, base, 'auto'),
    ]) {
      t.equal((await client.list()).length, 4);
      t.ok(remote!.supportedProtocolVersions.includes(client.revision ?? ''));
      const { name, title, description, version, websiteUrl } = card;
      t.match(client.serverInfo, { name, title, description, version, websiteUrl });
    }
  },
);

void t.test('every revision on the server card is served', async (t) => {
  const { url } = await startTestService(t);
  const card = (await (await fetch(`${url}/api/public/mcp/server-card`)).json()) as Card;
  const [remote] = card.remotes;
  t.ok(remote!.supportedProtocolVersions.includes('2026-07-28'));
  for (const revision of remote!.supportedProtocolVersions) {
    const { body, headers } =
      revision >= '2026'
        ? modernRequest('tools/list')
        : { body: legacyRequest('tools/list'), headers: { 'mcp-protocol-version': revision } };
    t.equal((await post(url, body, headers)).status, 200, revision);
  }
});

void t.test('the name is the reversed host of PUBLIC_BASE_URL', async (t) => {
  for (const [address, name] of [
    ['https://book.example.com', 'com.example.book/booking'],
    ['http://127.0.0.1:3000', '127.0.0.1/booking'],
    ['http://[::1]:3000', 'localhost/booking'],
  ]) {
    const { url } = await startTestService(t, { ...generous, PUBLIC_BASE_URL: address! });
    const card = (await (await fetch(`${url}/api/public/mcp/server-card`)).json()) as Card;
    t.equal(card.name, name);
    t.equal(card.remotes[0]?.url, `${address}/api/public/mcp`);
  }
});

/**
 * What the schema of `server.json` (2025-12-11) demands of an entry with remote servers alone. In an
 * MCP registry, the namespace of the name is a domain that the publisher proves to own.
 */
const registryEntry = {
  type: 'object',
  required: ['$schema', 'name', 'title', 'description', 'version', 'websiteUrl', 'remotes'],
  additionalProperties: false,
  properties: {
    $schema: {
      const: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    },
    name: {
      type: 'string',
      minLength: 3,
      maxLength: 200,
      pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$',
    },
    title: { type: 'string', minLength: 1, maxLength: 100 },
    description: { type: 'string', minLength: 1, maxLength: 100 },
    version: { type: 'string', maxLength: 255, pattern: '^\\d+\\.\\d+\\.\\d+$' },
    websiteUrl: { type: 'string', pattern: '^https://' },
    remotes: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['type', 'url'],
        additionalProperties: false,
        properties: {
          type: { const: 'streamable-http' },
          url: { type: 'string', pattern: '^https://[^\\s{}]+$' },
        },
      },
    },
  },
};

void t.test('the entry for an MCP registry names what the server card does', async (t) => {
  const service = await startTestService(t, {
    ...generous,
    PUBLIC_BASE_URL: 'https://book.example.com',
  });
  const { url } = service;
  const answered = await fetch(`${url}/.well-known/mcp/server.json`);
  t.equal(answered.headers.get('content-type'), 'application/json');
  const entry = (await answered.json()) as Card;
  const isEntry = new Ajv({ strict: true }).compile(registryEntry);
  t.ok(isEntry(entry), JSON.stringify(isEntry.errors));
  t.equal(entry.name, 'com.example.book/booking');
  const card = (await (await fetch(`${url}/api/public/mcp/server-card`)).json()) as Card;
  for (const member of ['name', 'title', 'description', 'version', 'websiteUrl'] as const) {
    t.equal(entry[member], card[member], member);
  }
  t.equal(entry.remotes[0]?.url, card.remotes[0]?.url);
});
