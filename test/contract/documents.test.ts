import { access, readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import t from 'tap';
import type { Studio } from '../../generated/schemas.js';
import { loadConfig } from '../../src/config/config.js';
import { liveBookingsPerCaller } from '../../src/domain/booking/caps.js';
import { agentGuide } from '../../src/pages/guide/guide.js';
import { readDocument, valueAt } from '../support/document.js';
import { headingAnchors, readGuides } from '../support/guides.js';
import { projectRoot } from '../support/project.js';
import { everyCommand } from '../support/studio.js';

const read = (path: string) => readFile(join(projectRoot, path), 'utf8');

/** The links of a document's prose to files of the project, and to sections of these. */
async function linksIn(path: string): Promise<{ file: string; section: string | undefined }[]> {
  const prose = (await read(path)).replace(/^ *```[^]*?^ *```$|`[^`\n]*`/gm, '');
  return Array.from(
    prose.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g),
    ([, target = '', section]) => ({
      file: target === '' ? path : normalize(join(dirname(path), target)),
      section,
    }),
  );
}

t.test('a reader of README.md finds every document, and no link leads nowhere', async (t) => {
  const reached = new Set(['README.md']);
  for (const document of reached) {
    for (const { file, section } of await linksIn(document)) {
      await t.resolves(access(join(projectRoot, file)), `${document} links to ${file}`);
      if (file.endsWith('.md')) reached.add(file);
      if (section === undefined) continue;
      t.ok(headingAnchors(await read(file)).includes(section), `${document}: ${file}#${section}`);
    }
  }
  const guides = (await readGuides()).keys();
  for (const document of ['CHANGELOG.md', 'src/client/README.md', ...guides]) {
    t.ok(reached.has(document), document);
  }
});

t.test(
  'the map of README.md names each part of src, and nothing that does not exist',
  async (t) => {
    const [, map = ''] = /^## The map$(.*?)^## /ms.exec(await read('README.md')) ?? [];
    const named = new Set(
      Array.from(map.matchAll(/`((?:scripts|src|test)\/[^`]*)`/g), ([, path = '']) => path),
    );
    // In a row, what follows the first path lies beside it: `src/http/`, `mcp/`.
    for (const [, first = '', others = ''] of map.matchAll(/^\| `([^`]+)`(?:, ([^|]+))?/gm)) {
      named.add(first);
      for (const [, name = ''] of others.matchAll(/`([^`]+)`/g))
        named.add(join(dirname(first), name));
    }
    for (const entry of await readdir(join(projectRoot, 'src'), { withFileTypes: true })) {
      const path = entry.isDirectory() ? `src/${entry.name}/` : `src/${entry.name}`;
      if (!path.endsWith('.md')) t.ok(named.has(path), path);
    }
    for (const path of named) {
      // A build makes it.
      if (path !== 'dist/bundle/') await t.resolves(access(join(projectRoot, path)), path);
    }
  },
);

t.test(
  'the documents on the code name files that exist, and functions that these have',
  async (t) => {
    const path = String.raw`\`((?:[\w.-]+/)+[\w.-]+\.(?:tsx?|c?js))\``;
    const inRoot = (name: string) =>
      /^(?:src|scripts|test|generated)\//.test(name) ? name : `src/${name}`;
    for (const document of ['src/README.md', 'src/decisions.md', 'CONTRIBUTING.md']) {
      const text = (await read(document)).replaceAll(/\s+/g, ' ');
      for (const [, file = ''] of text.matchAll(new RegExp(path, 'g'))) {
        await t.resolves(access(join(projectRoot, inRoot(file))), `${document}: ${file}`);
      }
      // `placeHold` (`domain/booking/holds.ts`), or both in the brackets.
      for (const [, name = '', file = ''] of text.matchAll(
        new RegExp(String.raw`\`(\w+)\`(?: \(|, )${path}`, 'g'),
      )) {
        t.match(
          await read(inRoot(file)),
          new RegExp(`\\b${name}\\b`),
          `${document}: ${name} in ${file}`,
        );
      }
    }
  },
);

t.test('the package has the documents for the studio and for the operator', async (t) => {
  const { files } = JSON.parse(await read('package.json')) as { files: string[] };
  for (const document of (await readGuides()).keys()) {
    t.ok(
      files.some((file) => `${document}/`.startsWith(`${file}/`)),
      document,
    );
  }
});

t.test('each command is shown once, to the studio or to the operator', async (t) => {
  const guides = [...(await readGuides()).values()].join('\n');
  const code = guides.match(/^ *```[^]*?^ *```$|`[^`\n]*`/gm)!.join('\n');
  const commands = everyCommand();
  const shown = Array.from(
    code.matchAll(/\bstudio ([a-z].*)/g),
    ([, line = '']) => commands.find((name) => new RegExp(`^${name}(?![\\w-])`).test(line)) ?? line,
  );
  t.strictSame(shown.sort(), commands);
});

t.test('every example of an Idempotency-Key is a random UUID', async (t) => {
  const holds = '#/paths/~1api~1public~1holds/post/parameters';
  const studio = '#/paths/~1api~1public~1studio/get/responses/200/content/application~1json';
  const { data } = valueAt(readDocument(), `${studio}/example`) as { data: unknown };
  const documents: Record<string, string> = {
    'openapi.yaml': JSON.stringify(valueAt(readDocument(), holds)),
    'README.md': await read('README.md'),
    'src/client/README.md': await read('src/client/README.md'),
    'guide.md': agentGuide(loadConfig({}), 'link', data as Studio, '2026-12-01'),
  };
  for (const [name, text] of Object.entries(documents)) {
    t.match(text.replaceAll(/\s+/gu, ' '), /random UUID.{0,140}guess/u, `${name} says why`);
  }
  for (const name of await readdir(join(projectRoot, 'scripts/examples'))) {
    documents[name] = await read(`scripts/examples/${name}`);
  }
  const given =
    /idempotency[-_]?key['"]?[:=] *(?:\$\(node -p )?['"]?([\w-]+(?:\.\w+\(\))?)|"example":"([^"]+)"/giu;
  const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
  const random = new RegExp(`^(${uuid}|crypto\\.randomUUID\\(\\))$`, 'u');
  const examples = Object.entries(documents).flatMap(([name, text]) =>
    Array.from(text.matchAll(given), ([, key, example]) => [name, key ?? example] as const),
  );
  t.ok(examples.length >= 5, 'the examples are found');
  for (const [name, key] of examples) t.match(key, random, name);
});

const example = await read('.env.example');
const variables = Object.fromEntries(
  [...example.matchAll(/^# ([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
);

t.test('.env.example explains every setting, and changes nothing as it is', async (t) => {
  const members = Object.keys(variables).map((name) =>
    name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  );
  // Two settings make one member, since mail is on with both, and off with neither.
  const { mail, ...others } = loadConfig({});
  t.equal(mail, null);
  t.same(members.sort(), [...Object.keys(others), 'smtpUrl', 'mailFrom'].sort());
  t.same(loadConfig(variables), loadConfig({}), 'it shows the defaults');
  t.notMatch(example, /^[^#\n]/m);
  for (const name of Object.keys(variables)) {
    t.match(example, new RegExp(`\\n# [^\\n]+[.]\\n# ${name}=`), name);
  }
});

t.test('a caller may have more live bookings where codes prove who confirms', async (t) => {
  t.equal(liveBookingsPerCaller(loadConfig({}), 'link'), 12);
  t.equal(liveBookingsPerCaller(loadConfig({}), 'code'), 40);
  const capped = loadConfig({ MAX_LIVE_BOOKINGS_PER_CALLER: '12' });
  t.equal(liveBookingsPerCaller(capped, 'code'), 12);
});

t.test('the default public address is the origin that browsers send', async (t) => {
  for (const [environment, address] of [
    [{ PORT: '8080' }, 'http://127.0.0.1:8080'],
    [{ PORT: '80' }, 'http://127.0.0.1'],
    [{ HOST: 'Studio.Example', PORT: '80' }, 'http://studio.example'],
    [{ HOST: '::1' }, 'http://[::1]:3000'],
    [{ HOST: '0.0.0.0' }, 'http://localhost:3000'],
  ] as const) {
    t.equal(loadConfig(environment).publicBaseUrl, address);
  }
});

t.test('webhooks go to private addresses by default only from a service on loopback', async (t) => {
  const allowed = (environment: Record<string, string>) =>
    loadConfig(environment).webhookAllowPrivateTargets;
  for (const HOST of ['', '127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1', 'LocalHost']) {
    t.equal(allowed({ HOST }), true, HOST);
    t.equal(allowed({ HOST, PUBLIC_BASE_URL: 'http://localhost:3000' }), true, HOST);
    t.equal(allowed({ HOST, PUBLIC_BASE_URL: 'https://book.example.com' }), false, HOST);
    t.equal(allowed({ HOST, ROLE: 'worker' }), false, 'who can subscribe, the API knows');
    t.equal(allowed({ HOST, WEBHOOK_ALLOW_PRIVATE_TARGETS: 'false' }), false, HOST);
  }
  for (const HOST of ['0.0.0.0', '::', '::ffff:0.0.0.0', '0', '192.168.1.7', 'studio']) {
    t.equal(allowed({ HOST }), false, HOST);
    t.equal(allowed({ HOST, PUBLIC_BASE_URL: 'http://127.0.0.1:3000' }), false, HOST);
    t.equal(allowed({ HOST, WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true' }), true, HOST);
  }
});

t.test('a delay beyond the range of a timestamp is rejected at the start', async (t) => {
  const load = (text: string) => () => loadConfig({ WEBHOOK_RETRY_SCHEDULE_SECONDS: text });
  t.same(load('0, 5,31536000')().webhookRetryScheduleSeconds, [0, 5, 31_536_000]);
  for (const wrong of ['1e300', '31536001', '0x10', '1.5', '-1', '5,,5', '5,', 'soon']) {
    t.throws(load(wrong), { name: 'ConfigError' }, wrong);
  }
});
