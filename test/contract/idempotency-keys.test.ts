import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { loadConfig } from '../../src/config.js';
import type { Studio } from '../../generated/schemas.js';
import { agentGuide } from '../../src/pages/guide/guide.js';
import { readDocument, valueAt, type JsonObject } from '../support/document.js';
import { projectRoot } from '../support/project.js';

const read = (path: string) => readFile(join(projectRoot, path), 'utf8');
const parameters = valueAt(
  readDocument(),
  '#/paths/~1api~1public~1holds/post/parameters',
) as JsonObject[];
const header = parameters.find(({ name }) => name === 'Idempotency-Key')!;

const studio = valueAt(
  readDocument(),
  '#/paths/~1api~1public~1studio/get/responses/200/content/application~1json/example/data',
) as unknown;

/** Each document that shows how to place a hold. */
const documents: Record<string, string> = {
  'openapi.yaml': JSON.stringify(header),
  'README.md': await read('README.md'),
  'src/client/README.md': await read('src/client/README.md'),
  'guide.md': agentGuide(loadConfig({}), 'link', studio as Studio, '2026-12-01'),
};
for (const name of await readdir(join(projectRoot, 'scripts/examples'))) {
  documents[name] = await read(`scripts/examples/${name}`);
}

/** What is given as the key: in a header, an option or an argument. */
const given = /idempotency[-_]?key['"]?[:=] *['"]?([\w-]+(?:\.\w+\(\))?)/giu;
const random =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|crypto\.randomUUID\(\))$/u;

t.test('every example of an Idempotency-Key is a random UUID', async (t) => {
  t.match(String(header['example']), random);
  let examples = 0;
  for (const [name, text] of Object.entries(documents)) {
    for (const [, key = ''] of text.matchAll(given)) {
      examples += 1;
      t.match(key, random, name);
    }
  }
  t.ok(examples >= 4, 'the examples are found');
});

t.test('each document that explains the key says why it must be random', async (t) => {
  for (const name of ['openapi.yaml', 'README.md', 'src/client/README.md', 'guide.md']) {
    const text = documents[name]?.replaceAll(/\s+/gu, ' ') ?? '';
    t.ok(/random UUID.{0,140}guess/u.test(text), name);
  }
});
