import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config.js';
import { containerFolder, readContainerfile } from '../support/containerfile.js';
import { projectRoot } from '../support/project.js';
import { secretKey } from '../support/service.js';

interface ComposeService {
  image: string;
  build?: { context: string; dockerfile: string };
  user?: string;
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  networks: string[];
  volumes?: string[];
  healthcheck?: unknown;
  [option: string]: unknown;
}

interface Compose {
  services: Record<string, ComposeService>;
  networks: Record<string, unknown>;
  volumes: Record<string, unknown>;
}

const file = await readContainerfile();
const text = await readFile(join(containerFolder, 'compose.yaml'), 'utf8');
const compose = parse(text, { merge: true }) as Compose;
const ours = Object.entries(compose.services).filter(([, { build }]) => build !== undefined);

void t.test(
  'the image runs what npm start runs, on a Node that the package supports',
  async (t) => {
    const manifest = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8')) as {
      scripts: { start: string };
      engines: { node: string };
    };
    // Without the check of the build: the image was built.
    const start = manifest.scripts.start.replace('scripts/run.js ', 'dist/bundle/');
    t.equal(file.command.join(' '), start);
    for (const { image } of file.stages) t.match(image, /^node:24\.\d+\.\d+-\w+-slim$/);
    t.equal(manifest.engines.node, '>=20.19');
    t.match(file.user, /^[1-9]\d*:[1-9]\d*$/, 'not root, as a number');
    t.equal(file.environment['NODE_ENV'], 'production');
  },
);

void t.test(
  'every container is confined, healthy by a check, and of a fixed version',
  async (t) => {
    for (const [name, service] of Object.entries(compose.services)) {
      t.match(
        service,
        { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] },
        name,
      );
      t.notOk(service['privileged'], name);
      const isOurs = service.build !== undefined;
      t.match(service.user, isOurs ? undefined : name, `${name}: its user is not root`);
      t.equal(service.healthcheck === undefined, isOurs, `${name}: the image has ours`);
      if (!isOurs) t.match(service.image, /:\d+\.\d+$/, name);
      for (const other of Object.keys(service.depends_on ?? {}))
        t.ok(compose.services[other], other);
      for (const network of service.networks) t.ok(network in compose.networks, network);
      for (const volume of service.volumes ?? []) t.ok(volume.split(':')[0]! in compose.volumes);
    }
    t.match(compose.networks['back'], { internal: true });
    for (const name of ['postgres', 'redis']) t.same(compose.services[name]!.networks, ['back']);
  },
);

void t.test('api and worker get settings that the service knows and accepts', async (t) => {
  t.same(
    ours.map(([name]) => name),
    ['api', 'worker'],
  );
  const example = await readFile(join(projectRoot, '.env.example'), 'utf8');
  for (const [name, service] of ours) {
    const { build, environment = {} } = service;
    t.equal(join(containerFolder, build!.context), join(projectRoot, '.'), name);
    t.equal(join(projectRoot, build!.dockerfile), join(containerFolder, 'Containerfile'));
    for (const setting of Object.keys(environment)) t.match(example, `# ${setting}=`);

    const given = { PUBLIC_BASE_URL: 'https://book.example.com', SECRET_KEY: secretKey };
    const settings = interpolate(environment, { ...given, POSTGRES_PASSWORD: 'a1b2' });
    const config = loadConfig({ ...file.environment, ...settings });
    t.match(config, {
      role: name,
      databaseUrl: 'postgres://studio:a1b2@postgres/studio',
      redisUrl: 'redis://redis:6379',
      webhookAllowPrivateTargets: false,
    });
    t.match(settings, { ...file.environment, NODE_ENV: undefined }, 'what the image expects');
    t.throws(() => interpolate(environment, {}), /Set \w+ in \.env/);
    t.match(service['stop_grace_period'], '15s', 'longer than the service takes to stop');
  }
  t.same(compose.services['api']!['ports'], ['127.0.0.1:${PORT:-3000}:3000']);
  // Trusts the gateway of the network, from where the published port is reached.
  t.match(text, /TRUST_PROXY:-172\.30\.57\.1\/32/);
  t.match(compose.networks['front'], { ipam: { config: [{ gateway: '172.30.57.1' }] } });
});

/** `${NAME:-default}` and `${NAME:?error}`, as compose replaces them. */
function interpolate(
  environment: Record<string, string>,
  values: Record<string, string>,
): Record<string, string> {
  const replace = (_: string, name: string, kind: string, rest: string): string => {
    const value = values[name] ?? '';
    if (value === '' && kind === '?') throw new Error(rest);
    return value === '' ? rest : value;
  };
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replace(/\$\{(\w+):([-?])([^}]*)\}/g, replace),
    ]),
  );
}

void t.test('the secrets in .env stay out of the build', async (t) => {
  const ignored = await readFile(join(containerFolder, 'Containerfile.dockerignore'), 'utf8');
  t.ok(ignored.split('\n').includes('**/.env'));
});
