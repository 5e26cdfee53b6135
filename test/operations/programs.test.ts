import { execFile } from 'node:child_process';
import { chmod, readdir, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { nodeSupport } from '../../src/platform/node-support.js';
import { readPackage } from '../../src/platform/package-root.js';
import { createTestDatabase } from '../support/database.js';
import { temporaryFolder } from '../support/embedded.js';
import { postHold } from '../support/http-requests.js';
import { legacyRequest, modernRequest, post } from '../support/mcp.js';
import { freePort, launch, spawnService } from '../support/process.js';
import { bundledProgram, compiledFile } from '../support/project.js';
import { secretKey } from '../support/service.js';
import { studioIn } from '../support/studio.js';

/** Each costs a start up to 50 ms and the idle process up to 10 MB. */
const loadedAtFirstUse =
  /^(?:@modelcontextprotocol|@opentelemetry|@peculiar|@simplewebauthn|bullmq-otel|html-to-text|prom-client|tldts|undici|yaml|zod)$/;

/** A service that lists what it has loaded. `end` stops it, and resolves with the packages. */
async function spawnListing(t: Test, environment: Record<string, string>) {
  const file = join(await temporaryFolder(t), 'loaded');
  const preload = pathToFileURL(compiledFile('test/support/loaded-preload.ts')).href;
  const service = await spawnService(t, { ...environment, LOADED_SCRIPTS: file }, { preload });
  return {
    ...service,
    async end() {
      t.equal(await service.end('SIGTERM'), 0);
      const names = (await readFile(file, 'utf8')).matchAll(/^.*\/node_modules\/([^/\n]+)\//gm);
      return [...new Set([...names].map(([, name = '']) => name))];
    },
  };
}

void t.test('a start loads only what every service needs, and prints one address', async (t) => {
  const dataDir = join(await temporaryFolder(t), 'data');
  const service = await spawnListing(t, { DATA_DIR: dataDir });
  const packages = await service.end();
  t.ok(packages.includes('pg'), 'it sees all');
  t.same(
    packages.filter((name) => loadedAtFirstUse.test(name)),
    [],
  );
  t.match(service.output(), /"book":".*\/book".*"the studio is open"/);
  t.ok(
    service
      .output()
      .trim()
      .split('\n')
      .every((line) => line.startsWith('{')),
    'without a terminal, each line is a record',
  );
  t.equal(service.output().match(/ at http/g)?.length, 1, 'nothing else listens');
  const { isOver, sentence } = nodeSupport(Date.now());
  t.equal(service.output().includes(sentence), isOver, 'a Node without security updates is named');

  await t.test('a secret key that others may read ends a start with a sentence', async (t) => {
    await chmod(join(dataDir, 'secret-key'), 0o666);
    const start = launch(t, { DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
    t.equal(await start.ended, 1);
    t.match(start.output(), /^Other users of this machine may read or write .*\n$/);
    const { version } = readPackage();
    t.match(await studioIn({})('--version'), { code: 0, stdout: `${version}\n` });
    const examined = await studioIn({ DATA_DIR: dataDir })('doctor');
    t.match(examined, { code: 5, stdout: /✗ secret key +Other users .*chmod 600/ });
  });

  await t.test('a lost secret key ends a start, which makes no other one', async (t) => {
    const path = join(dataDir, 'secret-key');
    await chmod(path, 0o600);
    await rename(path, `${path}.copy`);
    const before = await readdir(dataDir);
    const start = launch(t, { DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
    t.equal(await start.ended, 1);
    t.match(
      start.output(),
      /^The file secret-key is missing .* Lost .* webhooks, .* restore --w.*\n$/,
    );
    t.same(await readdir(dataDir), before);
    await rename(`${path}.copy`, path);
    t.equal(await (await spawnService(t, { DATA_DIR: dataDir })).end('SIGTERM'), 0);
  });
});

void t.test('what a program starts as a process or a thread lies beside it', async (t) => {
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

/** Most tests run the service's modules as compiled, so only here a fault of bundling is seen. */
void t.test('the bundled programs serve what a start does not load', async (t) => {
  const { connectionString } = await createTestDatabase(t);
  const port = await freePort();
  const [url, local] = [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
  const environment = {
    DATABASE_URL: connectionString,
    SECRET_KEY: secretKey,
    PORT: String(port),
    PUBLIC_BASE_URL: url,
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'studio@example.com',
  };
  const service = await spawnListing(t, environment);
  const read = async (path: string, headers: Record<string, string> = {}) => {
    const { status } = await fetch(`${url}${path}`, {
      headers: { accept: 'text/html', cookie: '_ga=1', ...headers },
      redirect: 'manual',
    });
    return status;
  };

  await t.test('pages, also for browsers that have cookies of others', async (t) => {
    for (const path of [
      '/',
      '/book',
      '/docs/',
      '/guide',
      '/embed.js',
      '/guide.md',
      '/api/public/studio',
    ]) {
      t.equal(await read(path), 200, path);
    }
    t.equal(await read('/console'), 401);
    t.equal(await read('/console/sign-in/passkey-options'), 200);
  });

  await t.test('signing in with a link that the command prints', async (t) => {
    const command = [bundledProgram('studio'), 'console', 'link', '--name', 'Ada', '--json'];
    const { stdout } = await promisify(execFile)(process.execPath, command, {
      env: { ...process.env, ...environment },
    });
    const link = /http:[^"\s]+/.exec(stdout)?.[0] ?? '';
    const answer = await fetch(local + new URL(link).pathname, {
      method: 'POST',
      headers: { origin: url, accept: 'text/html' },
      body: new URLSearchParams(),
      redirect: 'manual',
    });
    t.equal(answer.status, 303);
    const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
    t.equal(await read('/console', { cookie }), 200);
  });

  await t.test('the connector, in both versions of the protocol', async (t) => {
    const modern = modernRequest('tools/list');
    const calls = [
      await post(local, legacyRequest('tools/list')),
      await post(local, modern.body, modern.headers),
    ];
    for (const { status, text } of calls) {
      t.equal(status, 200);
      t.match(text, /hold_slot/);
    }
  });

  await postHold(url);
  const packages = await service.end();
  t.ok(packages.includes('html-to-text'), 'with mail on, a start loads what the first mail needs');
  t.notOk(packages.includes('@opentelemetry'), 'and nothing for traces without an endpoint');
  t.notOk(packages.includes('bullmq-otel'));
});
