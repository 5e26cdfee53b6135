import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config/config.js';
import { createTestDatabase } from '../support/database.js';
import { temporaryFolder, until } from '../support/embedded.js';
import { postHold, postWebhook } from '../support/http-requests.js';
import { freePort, launch, spawnService } from '../support/process.js';
import { installPackage, projectRoot } from '../support/project.js';
import { startDatabaseProxy } from '../support/proxy.js';
import { startReceiver } from '../support/receiver.js';
import { redisMissing, redisUrl } from '../support/redis.js';
import { runPreload } from '../support/run-clock.js';
import { secretKey } from '../support/service.js';
import { startTraceCollector } from '../support/trace-collector.js';

const run = promisify(execFile);
const readText = (path: string) => readFile(join(projectRoot, path), 'utf8');
const containerfile = await readText('scripts/container/Containerfile');
/** What follows these words at the start of a line of the Containerfile. */
const after = (words: string) => new RegExp(`^${words} (.*)$`, 'm').exec(containerfile)?.[1] ?? '';
const listAfter = (words: string) => JSON.parse(after(words)) as string[];
const environment = Object.fromEntries(
  after('ENV')
    .split(' ')
    .map((word) => word.split('=') as [string, string]),
);
const [node, ...command] = [...listAfter('ENTRYPOINT'), ...listAfter('CMD')];
const healthCheck = listAfter(' +CMD');

void t.test('the image runs what npm start runs, not as root, on a supported Node', async (t) => {
  const { scripts } = JSON.parse(await readText('package.json')) as { scripts: { start: string } };
  // Without the check of the build: the image was built.
  const start = scripts.start.replace('scripts/run.js ', 'dist/bundle/');
  t.equal([node, ...command].join(' '), start);
  const bases = containerfile.match(/^FROM .+$/gm) ?? [];
  for (const base of bases) t.match(base, /^FROM node:24\.\d+\.\d+-\w+-slim( AS build)?$/);
  t.match(after('USER'), /^[1-9]\d*:[1-9]\d*$/, 'a number');
  t.equal(environment['NODE_ENV'], 'production');
  for (const [, words = ''] of containerfile.matchAll(/^COPY ([^-].*) \S+$/gm)) {
    for (const word of words.split(' ')) t.ok(existsSync(join(projectRoot, word)), word);
  }
  const ignored = await readText('scripts/container/Containerfile.dockerignore');
  t.ok(ignored.split('\n').includes('**/.env'), 'the secrets stay out of the build');
});

void t.test(
  'every container is confined, and api and worker get settings that the service accepts',
  async (t) => {
    const text = await readText('scripts/container/compose.yaml');
    const { services } = parse(text, { merge: true }) as {
      services: Record<string, { environment: Record<string, string>; [option: string]: unknown }>;
    };
    for (const [name, options] of Object.entries(services)) {
      t.match(options, { read_only: true, cap_drop: ['ALL'] }, name);
    }
    for (const name of ['postgres', 'redis']) t.same(services[name]!['networks'], ['back']);
    t.same(services['api']!['ports'], ['127.0.0.1:${PORT:-3000}:3000']);
    const secrets = { SECRET_KEY: secretKey, POSTGRES_PASSWORD: 'a1b2' };
    const all: Record<string, string> = { PUBLIC_BASE_URL: 'https://book.example.com', ...secrets };
    for (const name of Object.keys(all)) t.match(text, `\${${name}:?Set ${name} in`, 'required');
    const replace = (_: string, name: string, otherwise: string) => all[name] ?? otherwise;
    for (const role of ['api', 'worker']) {
      const given = JSON.stringify(services[role]!.environment);
      const settings = given.replaceAll(/\$\{(\w+):[-?]([^}]*)\}/g, replace);
      t.match(loadConfig({ ...environment, ...(JSON.parse(settings) as typeof environment) }), {
        role,
        databaseUrl: 'postgres://studio@postgres/studio',
        redisUrl: 'redis://redis:6379',
        webhookAllowPrivateTargets: false,
      });
    }
  },
);

/** The package with the packages that it needs, and Node, where every user may read. */
async function install(t: Test) {
  const folder = await temporaryFolder(t);
  const service = await installPackage(folder);
  const lock = JSON.parse(await readText('package-lock.json')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }>;
  };
  const needed = Object.entries(lock.packages)
    .filter(([path, { dev, optional, devOptional }]) => path && !dev && !optional && !devOptional)
    .map(([path]) => path);
  // Those below another one come with it.
  const whole = needed.filter((each) => !/node_modules.*node_modules/.test(each));
  // A third of the time of Node's `cp`.
  const archive = join(folder, 'packages.tar');
  await run('tar', ['-cf', archive, '-C', projectRoot, ...whole]);
  await run('tar', ['-xf', archive, '-C', folder]);
  const preload = fileURLToPath(runPreload);
  for (const name of ['preload.js', 'shift-date.js']) {
    await copyFile(join(preload, '..', name), join(service, name));
  }
  await copyFile(process.execPath, join(folder, 'node'));
  await chmod(folder, 0o755);
  return {
    conditions: {
      node: join(folder, 'node'),
      cwd: service,
      // A user to whom none of the files belongs.
      ...(process.getuid?.() === 0 && { user: 65_534 }),
    },
    home: folder,
    preload: pathToFileURL(join(service, 'preload.js')).href,
  };
}

void t.test(
  'the package with its dependencies runs as api and worker, as a user who can write nowhere',
  { skip: redisMissing },
  async (t) => {
    const { conditions, home, preload } = await install(t);
    const database = await createTestDatabase(t);
    const { connectionString } = await startDatabaseProxy(t, database.connectionString);
    const [collector, receiver] = [await startTraceCollector(t), await startReceiver()];
    t.teardown(() => receiver.close());
    const shared = {
      ...environment,
      HOST: '127.0.0.1',
      HOME: home,
      TMPDIR: home,
      NODE_OPTIONS: `--import=${preload}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      MAX_EVENT_LOOP_DELAY_MS: '0',
      DATABASE_URL: connectionString,
      REDIS_URL: await redisUrl(t),
      SECRET_KEY: secretKey,
      WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
    };
    const start = async (ROLE: string) => {
      const settings = { ...shared, ROLE, METRICS_PORT: String(await freePort()) };
      const { PORT: _, ...own } = settings as Record<string, string>;
      const service = await spawnService(t, own, { ...conditions, program: command });
      const check = () => launch(t, settings, healthCheck.slice(1), conditions).ended;
      return { ...service, check };
    };
    const [api, worker] = await Promise.all([start('api'), start('worker')]);
    await postWebhook(api.url, receiver.origin, ['hold.created']);
    const { id } = await postHold(api.url);
    const { body } = await receiver.request(1);
    t.match(JSON.parse(body.toString()), { type: 'hold.created', data: { id } });

    // At its end, a process waits a second for the collector at most.
    const names = ['POST /api/public/holds', 'dispatch events', 'webhook POST'];
    const traceOf = (name: string) => collector.spans().find((span) => span.name === name)?.traceId;
    await until(() => names.every((name) => traceOf(name) !== undefined));
    t.equal(new Set(names.map(traceOf)).size, 1, 'all are of one trace');
    t.equal(await worker.check(), 0, 'healthy');
    t.same(await Promise.all([api.end('SIGTERM'), worker.end('SIGTERM')]), [0, 0]);
    t.equal(await worker.check(), 1, 'not healthy');
  },
);
