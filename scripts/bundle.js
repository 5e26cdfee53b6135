/**
 * Joins the compiled programs of a folder, and the packages that a start loads, into a few files of its
 * `bundle`: Node loads these in a third of the time of their 1,400 modules.
 *
 *     node scripts/bundle.js dist
 */
import { buildSync } from 'esbuild';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

/** What is started: programs, and what they start as processes and threads of their own. */
const programs = {
  main: 'src/main.js',
  migrate: 'src/migrate.js',
  studio: 'src/staff/main.js',
  'calendar-process': 'src/watched-calendars/calendar-process.js',
  'export-thread': 'src/platform/tracing/opentelemetry/export-thread.js',
};
/**
 * All others are loaded from node_modules: those of which a start needs nothing, pino, which starts
 * files of its own, and pg, which the clock of the tests changes.
 */
const bundledPackages = [
  '@fastify/accepts',
  '@fastify/cookie',
  '@fastify/cors',
  '@fastify/csrf-protection',
  '@fastify/formbody',
  '@fastify/helmet',
  '@fastify/rate-limit',
  '@sinclair/typebox',
  'ajv',
  'ajv-formats',
  'bullmq',
  'canonicalize',
  'close-with-grace',
  'envalid',
  'fast-json-stringify',
  'fastify',
  'fastify-plugin',
  'fastify-sse-v2',
  'find-my-way',
  'ioredis',
  'ipaddr.js',
  'kysely',
  'lru-cache',
  'p-timeout',
  'preact',
  'preact-render-to-string',
  'standardwebhooks',
  'temporal-polyfill',
];
/** Packages that are CommonJS require modules of Node. */
const requireOfNode = `import { createRequire as createRequireHere } from 'node:module';
const require = createRequireHere(import.meta.url);`;

const folder = resolve(process.argv[2] ?? 'dist');
const bundle = join(folder, 'bundle');
const { dependencies, optionalDependencies } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);
const packages = Object.keys({ ...dependencies, ...optionalDependencies });
const { metafile } = buildSync({
  entryPoints: Object.fromEntries(
    Object.entries(programs).map(([name, file]) => [name, join(folder, file)]),
  ),
  outdir: bundle,
  bundle: true,
  // What is imported at first use stays a file of its own.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  banner: { js: requireOfNode },
  external: packages.filter((name) => !bundledPackages.includes(name)),
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
});

// The names of the parts change with their contents.
const written = new Set(Object.keys(metafile.outputs).map((path) => basename(path)));
for (const name of readdirSync(bundle)) {
  if (!written.has(name)) rmSync(join(bundle, name));
}
