import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { temporaryFolder } from '../support/embedded.js';
import { spawnService } from '../support/process.js';
import { bundledProgram, compiledFile } from '../support/project.js';

/** Each costs a start up to 50 ms and the idle process up to 10 MB. */
const loadedAtFirstUse = [
  '@modelcontextprotocol',
  '@peculiar',
  '@scalar',
  '@simplewebauthn',
  'html-to-text',
  'prom-client',
  'tldts',
  'undici',
  'yaml',
  'zod',
];

/** What a start loads from node_modules, with what these depend on: the rest is bundled. */
const loadedAsPackages = /^(?:pg|pino|nodemailer|ical-generator|@fastify)$/;
const theirDependencies =
  /^(?:pg-.+|postgres-.+|xtend|pino-.+|@pinojs|atomic-sleep|cookie|fastify-plugin|on-exit-leak-free|quick-format-unescaped|safe-stable-stringify|sonic-boom|thread-stream)$/;

t.test('a start loads no package that only some requests or settings need', async (t) => {
  const packages = [...(await packagesOf(t, {}))];
  t.ok(packages.includes('pg'), 'it sees all');
  t.same(
    packages.filter((name) => loadedAtFirstUse.includes(name)),
    [],
  );
  t.same(
    packages.filter((name) => !loadedAsPackages.test(name) && !theirDependencies.test(name)),
    [],
    'add it to scripts/bundle.js, or load it at first use',
  );
});

t.test('what a program starts as a process or a thread lies beside it', async (t) => {
  const bundle = dirname(bundledProgram('main'));
  const files = await readdir(bundle);
  const started: string[] = [];
  for (const file of files.filter((name) => name.endsWith('.js'))) {
    const code = await readFile(join(bundle, file), 'utf8');
    for (const [, name] of code.matchAll(/new URL\("\.\/([^"]+)", import\.meta\.url\)/g))
      started.push(name!);
  }
  t.same(started.sort(), ['calendar-process.js', 'export-thread.js']);
  for (const name of started) t.ok(files.includes(name), name);
});

t.test('with mail on, a start loads what the first mail needs', async (t) => {
  const packages = await packagesOf(t, {
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'studio@example.com',
  });
  t.ok(packages.has('html-to-text'));
});

/** The packages that a service has loaded when it serves; a scope counts as one. */
async function packagesOf(
  t: Parameters<typeof spawnService>[0] & Parameters<typeof temporaryFolder>[0],
  environment: Record<string, string>,
): Promise<Set<string>> {
  const folder = await temporaryFolder(t);
  const file = join(folder, 'loaded');
  const preload = pathToFileURL(compiledFile('test/support/loaded-preload.ts')).href;
  const service = await spawnService(
    t,
    { DATA_DIR: join(folder, 'data'), LOADED_SCRIPTS: file, ...environment },
    { preload },
  );
  await service.end('SIGTERM');
  const loaded = await readFile(file, 'utf8');
  const names = loaded.matchAll(/^.*\/node_modules\/([^/\n]+)\//gm);
  return new Set([...names].map(([, name = '']) => name));
}
