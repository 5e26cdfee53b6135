/**
 * Joins the compiled programs of a folder, with the libraries that come as hundreds of small modules,
 * into a few files of its `bundle`: Node loads these in a third of the time.
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
/** All other packages are loaded from node_modules. */
const bundledPackages = ['@sinclair/typebox', 'kysely'];

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
  external: packages.filter((name) => !bundledPackages.includes(name)),
  sourcemap: true,
  metafile: true,
  logLevel: 'warning',
});

// The names of the parts change with their contents.
const written = new Set(Object.keys(metafile.outputs).map((path) => basename(path)));
for (const name of readdirSync(bundle)) {
  if (!written.has(name)) rmSync(join(bundle, name));
}
