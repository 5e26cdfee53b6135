import { readFileSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { openSlots, placeHold } from '../../scripts/bench/slots.js';
import { createTestDatabase } from '../support/database.js';
import { makeImage, type Image } from '../support/image.js';
import { freePort, launch, spawnService, type ServiceProcess } from '../support/process.js';
import { projectRoot } from '../support/project.js';
import { startDatabaseProxy } from '../support/proxy.js';
import { startReceiver } from '../support/receiver.js';
import { redisMissing, redisUrl } from '../support/redis.js';
import { secretKey } from '../support/service.js';
import { startTraceCollector } from '../support/trace-collector.js';

interface LockFile {
  packages: Record<
    string,
    { dev?: boolean; optional?: boolean; devOptional?: boolean; peer?: boolean }
  >;
}

/** A quarter over what it is. */
const mostMegabytes = 175;

void t.test('the image that the Containerfile describes', async (t) => {
  const image = await makeImage(t);
  const before = await listFiles(image.folder);

  await t.test('it has what the service needs, and nothing of development', async (t) => {
    const lock = JSON.parse(
      readFileSync(join(projectRoot, 'package-lock.json'), 'utf8'),
    ) as LockFile;
    const installed = Object.keys(lock.packages).filter((path) =>
      before.has(join(image.service, path, 'package.json')),
    );
    const needed = Object.entries(lock.packages)
      .filter(([, { dev, optional, devOptional }]) => !dev && !optional && !devOptional)
      .map(([path]) => path);
    t.same(installed.sort(), needed.sort());
    const inService = (await readdir(image.service)).sort();
    t.same(inService, [
      '.env.example',
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist',
      'node_modules',
      'openapi.yaml',
      'package.json',
      'scripts',
      'src',
    ]);
    t.same((await readdir(join(image.service, 'scripts'))).sort(), [
      'build.js',
      'ensure-build.js',
      'examples',
      'run.js',
    ]);

    const bytes = [...before]
      .filter(([path]) => path.startsWith(image.service))
      .reduce((sum, [, { size }]) => sum + size, 0);
    const megabytes = Math.round(bytes / 1e6);
    t.ok(megabytes < mostMegabytes, `${megabytes} MB beside Node`);
  });

  await t.test(
    'api and worker run as another user who can write nowhere, and stop on SIGTERM',
    { skip: redisMissing },
    async (t) => {
      const { connectionString } = await startDatabaseProxy(
        t,
        (await createTestDatabase(t)).connectionString,
      );
      const collector = await startTraceCollector(t);
      const settings = {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
        DATABASE_URL: connectionString,
        REDIS_URL: await redisUrl(t),
        SECRET_KEY: secretKey,
        WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
      };
      const [api, worker] = await Promise.all(
        ['api', 'worker'].map((ROLE) => start(t, image, { ...settings, ROLE })),
      );
      const receiver = await startReceiver();
      t.teardown(() => receiver.close());
      const subscribed = await fetch(`${api!.url}/api/public/webhooks`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ url: receiver.origin, events: ['hold.created'] }),
      });
      t.equal(subscribed.status, 201);
      const [slot] = await openSlots(api!.url, 1);
      const { id } = await placeHold(api!.url, slot!);
      const { body } = await receiver.request(1);
      t.match(JSON.parse(body.toString()), { type: 'hold.created', data: { id } });

      for (const { isHealthy } of [api!, worker!]) t.equal(await isHealthy(), true);

      const waiting = fetch(`${api!.url}/api/public/bookings/${id}`, {
        headers: { prefer: 'wait=60' },
      });
      // The wait is there once a later request was answered.
      await (await fetch(`${api!.url}/healthz`)).text();
      const began = performance.now();
      const ends = [api!, worker!].map((service) => service.end('SIGTERM'));
      t.equal((await waiting).status, 200, 'the request under way was answered');
      t.same(await Promise.all(ends), [0, 0]);
      const took = performance.now() - began;
      t.ok(took < 10_000, `${Math.round(took)} ms`);
      t.equal(await api!.isHealthy(), false);
      const traced = new Set(collector.spans().map(({ name }) => name));
      for (const name of ['POST /api/public/holds', 'dispatch events', 'webhook POST']) {
        t.ok(traced.has(name), `${name} is traced`);
      }
    },
  );

  await t.test('no process has changed a file', async (t) => {
    t.same(await listFiles(image.folder), before);
  });
});

/** A container of the image: `isHealthy` runs its health check in it. */
async function start(
  t: Test,
  image: Image,
  settings: Record<string, string>,
): Promise<ServiceProcess & { isHealthy(): Promise<boolean> }> {
  const METRICS_PORT = String(await freePort());
  const environment = { ...image.environment, HOST: '127.0.0.1', METRICS_PORT, ...settings };
  const [, ...check] = image.file.healthCheck;
  // The address of the image is that of every interface.
  const { PORT, ...rest } = environment as Record<string, string>;
  t.equal(PORT, '3000');
  return {
    ...(await spawnService(t, rest, image.conditions)),
    isHealthy: async () => (await launch(t, environment, check, image.conditions).ended) === 0,
  };
}

/** Size, time and rights by path. */
async function listFiles(folder: string) {
  const paths = await readdir(folder, { recursive: true });
  const files = await Promise.all(
    paths.sort().map(async (path) => {
      const { size, mtimeMs, mode, uid } = await lstat(join(folder, path));
      return [join(folder, path), { size, mtimeMs, mode, uid }] as const;
    }),
  );
  return new Map(files);
}
