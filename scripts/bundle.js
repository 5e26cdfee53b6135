/**
 * Joins the programs, and the packages that a start loads, into a few files of `dist/bundle`: Node loads
 * these in a third of the time of their 1,400 modules.
 *
 *     node scripts/bundle.js [<folder with compiled sources> [tests test/a.test.js …]]
 *
 * With a folder, joins what is compiled there into its `bundle`; with `tests`, joins these compiled test
 * files into its `tests`. What browsers load goes to `dist/assets`.
 */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  isArgumentElement,
  isLiteralElement,
  isPluralElement,
  isPoundElement,
  isSelectElement,
  parse,
} from '@formatjs/icu-messageformat-parser';
import { buildSync, transformSync } from 'esbuild';

/** What is started: programs, and what they start as processes and threads of their own. */
const programs = {
  main: 'src/main',
  migrate: 'src/migrate',
  studio: 'src/staff/main',
  'calendar-process': 'src/icalendar/read/calendar-process',
  'export-thread': 'src/platform/tracing/opentelemetry/export-thread',
};
/**
 * All others are loaded from node_modules: those of which a start needs nothing, pino, which starts
 * files of its own, pg, which the clock of the tests changes, and `@fastify/cookie`, see below.
 */
const bundledPackages = [
  '@fastify/accepts',
  '@fastify/cors',
  '@fastify/csrf-protection',
  '@fastify/formbody',
  '@fastify/rate-limit',
  '@formatjs/fast-memoize',
  '@formatjs/icu-messageformat-parser',
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
  'intl-messageformat',
  'ipaddr.js',
  'kysely',
  'lru-cache',
  'p-limit',
  'p-timeout',
  'preact',
  'preact-render-to-string',
  'standardwebhooks',
  'temporal-polyfill',
  'yocto-queue',
];
/** Packages that are CommonJS require modules of Node. */
const requireOfNode = `import { createRequire as createRequireHere } from 'node:module';
const require = createRequireHere(import.meta.url);`;

/** How long the parts of former builds stay. */
const keptMs = 7 * 24 * 60 * 60_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const [compiled, name = 'bundle', ...tests] = process.argv.slice(2);
const [sources, extension] = compiled === undefined ? [root, '.ts'] : [resolve(compiled), '.js'];
const bundle = join(compiled === undefined ? join(root, 'dist') : sources, name);
const entries = Object.entries(programs).map(([entry, file]) => [entry, file + extension]);
for (const test of tests) entries.push([test.replace(/\.js$/, ''), test]);
const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);
const packages = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
// Each test file is a process that loads it.
if (tests.length > 0) bundledPackages.push('tap');
const { metafile } = buildSync({
  entryPoints: Object.fromEntries(entries.map(([entry, file]) => [entry, join(sources, file)])),
  outdir: bundle,
  bundle: true,
  // What is imported at first use stays a file of its own.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  banner: { js: requireOfNode },
  external: packages.filter((pack) => !bundledPackages.includes(pack)),
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
});

// A part that is CommonJS has no named exports, as Node gives it to what imports it at first use.
for (const { imports } of Object.values(metafile.inputs)) {
  for (const { kind, path } of imports) {
    if (kind === 'dynamic-import' && metafile.inputs[path]?.format === 'cjs') {
      throw new Error(
        `${path} is CommonJS and imported at first use: do not bundle what imports it`,
      );
    }
  }
}

const ofBrowsers = tests.length === 0 ? await bundleForBrowsers() : [];
writeFileSync(
  join(bundle, 'LICENSES.txt'),
  licencesOf([...Object.keys(metafile.inputs), ...ofBrowsers]),
);

// The names of the parts change with their contents. A service that still runs imports its own.
const written = new Set(Object.keys(metafile.outputs).map((path) => basename(path)));
for (const part of readdirSync(bundle).filter((file) => file !== 'LICENSES.txt')) {
  const path = join(bundle, part);
  if (!written.has(part) && Date.now() - statSync(path).mtimeMs > keptMs) rmSync(path);
}

/**
 * Each stylesheet and script with what it imports, and the view that chats show in one document. Returns
 * the paths of all that is in them.
 */
async function bundleForBrowsers() {
  const outdir = join(root, 'dist/assets');
  const target = 'es2022';
  const options = { bundle: true, minify: true, format: 'esm', target, outdir, metafile: true };
  const folder = join(root, 'src/web/assets');
  rmSync(outdir, { recursive: true, force: true });
  const { metafile } = buildSync({
    ...options,
    entryPoints: readdirSync(folder)
      // Other websites load embed.js as it is.
      .filter((file) => /\.(css|js)$/.test(file) && file !== 'embed.js')
      .map((file) => join(folder, file)),
    loader: { '.woff2': 'dataurl' },
  });
  const view = join(root, 'src/mcp/view/page');
  const entryPoints = ['page.css', 'main.js'].map((file) => join(view, file));
  const { outputFiles } = buildSync({ ...options, entryPoints, write: false });
  const { en } = await catalogueOf('en');
  let page = readFileSync(join(view, 'page.html'), 'utf8').replace(/^\s+/gm, '');
  const script = outputFiles.map(({ text }) => text).join('');
  const texts = { tag: 'en', language: languageOf('en-US', en, script) };
  page = page.replace(/\{\{([\w.]+)\}\}/g, (_match, key) => texts[key] ?? escaped(en[key]));
  for (const { path, text } of outputFiles) {
    page = page.replace(`/* ${basename(path)} */`, () => text.trim());
  }
  writeFileSync(join(outdir, 'slots-view.html'), page);
  return Object.keys(metafile.inputs);
}

/**
 * The sentences of a language, by key.
 *
 * @param {string} tag
 */
function catalogueOf(tag) {
  const source = readFileSync(join(root, `src/locales/${tag}.ts`), 'utf8');
  const { code } = transformSync(source, { loader: 'ts' });
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}

/**
 * What the script of the view needs of a language, as JSON for its document.
 *
 * @param {string} locale
 * @param {Record<string, string>} catalogue
 * @param {string} script
 */
function languageOf(locale, catalogue, script) {
  const messages = Object.entries(catalogue)
    .filter(([key]) => script.includes(`"${key}"`))
    .map(([key, text]) => [key, messageOf(parse(text))]);
  const language = { locale, messages: Object.fromEntries(messages) };
  return JSON.stringify(language).replaceAll('<', '\\u003c');
}

/**
 * A sentence as the view formats it, see its language.js.
 *
 * @param {import('@formatjs/icu-messageformat-parser').MessageFormatElement[]} elements
 * @param {string} [counted] the argument that `#` stands for
 */
function messageOf(elements, counted) {
  const parts = elements.map((element) => {
    const { value } = element;
    if (isLiteralElement(element)) return value;
    if (isPoundElement(element)) return [counted];
    if (isArgumentElement(element)) return [value];
    if (!isPluralElement(element) && !isSelectElement(element)) {
      throw new Error(`the view cannot format ${value}`);
    }
    const options = Object.entries(element.options);
    return [
      value,
      Object.fromEntries(options.map(([name, option]) => [name, messageOf(option.value, value)])),
    ];
  });
  return parts.length === 1 && typeof parts[0] === 'string' ? parts[0] : parts;
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/**
 * The texts of the licences of all packages that are bundled.
 *
 * @param {string[]} inputs
 */
function licencesOf(inputs) {
  const folders = inputs.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  return [...new Set(folders)]
    .filter((path) => path !== undefined)
    .sort()
    .map((path) => {
      const { name, version, license } = JSON.parse(
        readFileSync(join(path, 'package.json'), 'utf8'),
      );
      const files = readdirSync(path).filter((file) => /^(licen[cs]e|notice)/i.test(file));
      const texts = files.map((file) => readFileSync(join(path, file), 'utf8').trim());
      return [`${name} ${version} (${license})`, ...texts].join('\n\n');
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`);
}
