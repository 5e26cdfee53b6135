import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import {
  cruise,
  type ICruiseOptions,
  type ICruiseResult,
  type IForbiddenRuleType,
} from 'dependency-cruiser';
import t, { type Test } from 'tap';
import { projectRoot } from '../support/project.js';

interface Rules {
  forbidden: (IForbiddenRuleType & { name: string })[];
  options: ICruiseOptions;
}

interface Table {
  imports: Record<string, string[]>;
  places: Record<string, string>;
}

type Files = Record<string, string>;

const require = createRequire(import.meta.url);
const settings = join(projectRoot, 'scripts/settings');
const rules = require(join(settings, 'dependency-cruiser.cjs')) as Rules;
const { imports, places } = require(join(settings, 'import-table.cjs')) as Table;
const folders = Object.keys(imports);
const shape = 'export interface Shape {}\nexport const value = 1;';

t.test('an import that the table does not list is caught, also of a type', async (t) => {
  const files: Files = { 'src/context.ts': shape };
  const expected: string[] = [];
  for (const folder of folders) {
    const unlisted = folders.filter((name) => name !== folder && !imports[folder]?.includes(name));
    const targets = ['src/context.ts', ...unlisted.map((name) => fileIn(name, 'shape'))];
    for (const target of targets) files[target] ??= shape;
    for (const keyword of ['import', 'import type']) {
      // A file of a folder that is one file imports both ways.
      const file = fileIn(folder, keyword.replace(' ', '-'));
      files[file] = `${files[file] ?? ''}\n${importLines(keyword, targets, folder)}`;
      expected.push(...targets.map((target) => `${folder}-imports: ${file} → ${target}`));
    }
  }
  const broken = await cruiseFiles(t, files);
  const found = broken.filter(({ rule }) => rule.endsWith('-imports'));
  const shown = found.map(({ rule, from, to }) => `${rule}: ${from} → ${to}`);
  t.strictSame([...new Set(shown)].sort(), [...new Set(expected)].sort());
});

t.test('an import that the table lists is allowed', async (t) => {
  const files: Files = {};
  for (const folder of folders) {
    const targets = (imports[folder] ?? []).map((name) => fileIn(name, 'shape'));
    for (const target of targets) files[target] ??= shape;
    files[fileIn(folder, 'importing')] = `${shape}\n${importLines('import type', targets, folder)}`;
  }
  const broken = await cruiseFiles(t, files);
  t.strictSame(
    broken.filter(({ rule }) => rule !== 'no-orphan'),
    [],
  );
});

t.test('the table has no circle of folders', async (t) => {
  const visit = (folder: string, path: string[]): void => {
    if (path.includes(folder)) throw new Error(`${[...path, folder].join(' -> ')} is a circle`);
    for (const next of imports[folder] ?? []) visit(next, [...path, folder]);
  };
  t.doesNotThrow(() => folders.forEach((folder) => visit(folder, [])));
});

const startOfTracing = 'platform/tracing/opentelemetry/start.js';

/** Modules that break one rule each. */
const breaches: [rule: string, file: string, text: string][] = [
  ['every-folder-is-in-the-table', 'src/a.ts', 'import "./helpers/text.js";'],
  ['src-stands-without-test-and-scripts', 'src/b.ts', 'import "../test/x.js";'],
  ['src-stands-without-test-and-scripts', 'src/c.ts', 'import "../scripts/x.js";'],
  ['web-entrances-call-no-repository', 'src/http/a.ts', 'import "../repositories/rows.js";'],
  ['web-entrances-call-no-repository', 'src/console/a.ts', 'import "../repositories/rows.js";'],
  ['rules-and-pages-open-no-database', 'src/domain/a.ts', 'import "../database/pool.js";'],
  ['rules-and-pages-open-no-database', 'src/console/b.ts', 'import "../database/pool.js";'],
  ['sql-is-spoken-in-repositories', 'src/http/b.ts', 'import "kysely";'],
  ['sql-is-spoken-in-repositories', 'src/console/c.ts', 'import "kysely";'],
  ['sql-is-spoken-in-repositories', 'src/jobs/b.ts', 'import "kysely";'],
  ['connections-are-opened-in-database', 'src/pages/a.ts', 'import "pg";'],
  ['bullmq-is-spoken-in-jobs', 'src/domain/b.ts', 'import "bullmq";'],
  ['opentelemetry-is-spoken-in-one-folder', 'src/g.ts', 'export type { X } from "bullmq-otel";'],
  ['opentelemetry-is-loaded-when-on', 'src/h.ts', `import "./${startOfTracing}";`],
  ['domain-knows-no-transport', 'src/domain/c.ts', 'import "node:https";'],
  ['domain-knows-no-transport', 'src/domain/d.ts', 'export type { X } from "fastify";'],
  ['client-runs-in-browsers', 'src/client/a.ts', 'import "node:crypto";'],
  ['client-runs-in-browsers', 'src/client/b.ts', 'import "fastify";'],
  ['no-circle', 'src/domain/e.ts', 'import "./f.js";'],
  ['no-circle', 'src/domain/g.ts', 'import "./h.js"; export type X = 1;'],
  ['no-orphan', 'src/domain/i.ts', 'export const x = 1;'],
  ['no-development-dependency', 'src/d.ts', 'import "prettier";'],
  ['no-undeclared-dependency', 'src/e.ts', 'import "undeclared";'],
  ['no-unresolvable-import', 'src/f.ts', 'import "./none.js";'],
];

/** Modules that import as a type what they may not import as a value, and what others import. */
const harmless: Files = {
  'src/http/y.ts': 'export type { X } from "../repositories/rows.js";',
  'src/domain/y.ts': 'export type { X } from "kysely";',
  'src/domain/f.ts': 'import "./e.js";',
  'src/domain/h.ts': 'export type { X } from "./g.js";',
  'src/helpers/text.ts': '',
  'src/repositories/rows.ts': 'export type X = 1;',
  'src/database/pool.ts': '',
  'src/i.ts': `await import('./${startOfTracing}');`,
  'src/platform/tracing/opentelemetry/start.ts': 'import "bullmq-otel";',
  'scripts/x.ts': '',
  'test/x.ts': '',
};

t.test('each other rule catches what it forbids, and nothing else', async (t) => {
  const files = Object.fromEntries(breaches.map(([, file, text]) => [file, text]));
  const broken = await cruiseFiles(t, { ...harmless, ...files });
  const found = broken.map(({ rule, from }) => `${rule}: ${from}`).sort();
  t.strictSame(found, breaches.map(([rule, file]) => `${rule}: ${file}`).sort());
  const others = rules.forbidden.map(({ name }) => name).filter((name) => !isOfTable(name));
  t.strictSame(others.sort(), [...new Set(breaches.map(([rule]) => rule))].sort());
});

function isOfTable(rule: string): boolean {
  return folders.some((folder) => rule === `${folder}-imports`);
}

/** A file of a folder; of errors and config, the one beside the folders. */
function fileIn(folder: string, name: string): string {
  const place = places[folder] ?? '';
  if (place.endsWith('/')) return `${place}${name}.ts`;
  return place.endsWith('.ts') ? place : `${place}.ts`;
}

function importLines(keyword: string, files: string[], folder: string): string {
  const lines = files.map((file, index) => {
    const path = relative(dirname(fileIn(folder, '')), file).replace(/\.ts$/, '.js');
    const name = keyword === 'import' ? `value as value${index}` : `Shape as Shape${index}`;
    return `${keyword} { ${name} } from '${path.startsWith('.') ? path : `./${path}`}';`;
  });
  return lines.join('\n');
}

/** What dependency-cruiser reports of a project that consists of these files. */
async function cruiseFiles(
  t: Test,
  files: Files,
): Promise<{ rule: string; from: string; to: string }[]> {
  const packages = ['kysely', 'bullmq', 'bullmq-otel', 'fastify', 'pg', 'prettier', 'undeclared'];
  const root = t.testdir({
    'package.json': JSON.stringify({
      dependencies: { kysely: '1', bullmq: '1', 'bullmq-otel': '1', fastify: '1', pg: '1' },
      devDependencies: { prettier: '1' },
    }),
    node_modules: Object.fromEntries(
      packages.map((name) => [
        name,
        { 'package.json': JSON.stringify({ name, main: 'index.js' }), 'index.js': '' },
      ]),
    ),
    src: {},
    generated: {},
  });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const { output } = await cruise(['src', 'generated'], {
    ...rules.options,
    ruleSet: { forbidden: rules.forbidden },
    validate: true,
    baseDir: root,
  });
  const { violations } = (output as ICruiseResult).summary;
  return violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to }));
}
