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

interface Rules {
  forbidden: (IForbiddenRuleType & { name: string })[];
  options: ICruiseOptions;
}

interface Table {
  imports: Record<string, string[]>;
  places: Record<string, string>;
}

const require = createRequire(import.meta.url);
const rules = require('../../scripts/settings/dependency-cruiser.cjs') as Rules;
const { imports, places } = require('../../scripts/settings/rooms.cjs') as Table;
const folders = Object.keys(imports);

/** The rules that have caught something so far. */
const caught = new Set<string>();

/** A module of a folder; some are files at the root of src themselves. */
function moduleIn(folder: string, name: string): string {
  const place = places[folder] ?? '';
  return place.endsWith('/') ? `${place}${name}.ts` : place;
}

const shapes = 'export interface Shape {}\nexport const value = 1;\n';
const roots = { context: 'src/context.ts', app: 'src/app.ts', service: 'src/service.ts' };

for (const keyword of ['import', 'import type'] as const) {
  t.test(`"${keyword}" of a folder that is not in the list of another is caught`, async (t) => {
    const targets = {
      ...Object.fromEntries(folders.map((name) => [name, moduleIn(name, 'imported')])),
      ...roots,
    };
    const files: Record<string, string> = {};
    for (const path of Object.values(targets)) files[path] = shapes;
    for (const from of folders) {
      const importing = moduleIn(from, 'importing');
      const lines = Object.entries(targets)
        .filter(([name]) => name !== from)
        .map(([name, path]) => importLine(keyword, importing, path, name));
      files[importing] = `${shapes}${lines.join('\n')}\n`;
    }
    const broken = await violations(t, files);
    for (const from of folders) {
      const expected = Object.keys(targets).filter(
        (name) => name !== from && !imports[from]?.includes(name),
      );
      const found = Object.entries(targets)
        .filter(([, path]) =>
          broken.some(({ rule, to }) => rule === `${from}-imports` && to === path),
        )
        .map(([name]) => name);
      t.same(found, expected, from);
    }
  });
}

t.test('the table has no circle of folders', async (t) => {
  const above = new Set<string>();
  const visit = (name: string): void => {
    if (above.has(name)) throw new Error(`${[...above, name].join(' -> ')} is a circle`);
    above.add(name);
    for (const next of imports[name] ?? []) visit(next);
    above.delete(name);
  };
  t.doesNotThrow(() => {
    for (const name of folders) visit(name);
  });
});

/** Files of a tree, and the one rule that must be broken there, or none. */
const cases: [guarantee: string, rule: string | null, files: Record<string, string>][] = [
  [
    'a folder of src that is not in the table',
    'every-folder-is-in-the-table',
    { 'src/app.ts': 'import "./helpers/text.js";', 'src/helpers/text.ts': '' },
  ],
  [
    'src that needs a test',
    'src-stands-without-test-and-scripts',
    { 'src/errors.ts': 'import "../test/support/x.js";', 'test/support/x.ts': '' },
  ],
  [
    'src that needs a script',
    'src-stands-without-test-and-scripts',
    { 'src/errors.ts': 'import "../scripts/x.js";', 'scripts/x.ts': '' },
  ],
  [
    'a query from an entrance',
    'public-entrances-call-no-repository',
    {
      'src/http/x.ts': 'import { y } from "../repositories/y.js"; y;',
      'src/repositories/y.ts': 'export const y = 1;',
    },
  ],
  [
    'a row by its type in an entrance',
    null,
    {
      'src/http/x.ts': 'import type { Y } from "../repositories/y.js"; export type X = Y;',
      'src/repositories/y.ts': 'export type Y = number;',
    },
  ],
  [
    'a pool opened by the domain',
    'rules-and-pages-open-no-database',
    {
      'src/domain/x.ts': 'import { y } from "../database/y.js"; y;',
      'src/database/y.ts': 'export const y = 1;',
    },
  ],
  [
    'SQL in a handler',
    'sql-is-spoken-in-repositories',
    { 'src/http/handlers/x.ts': 'import { sql } from "kysely"; sql;' },
  ],
  [
    'SQL in a job',
    'sql-is-spoken-in-repositories',
    { 'src/jobs/x.ts': 'import { sql } from "kysely"; sql;' },
  ],
  [
    'a connection opened by a page',
    'connections-are-opened-in-database',
    { 'src/pages/x.ts': 'import { Pool } from "pg"; Pool;' },
  ],
  [
    'a transaction by its type in the domain',
    null,
    {
      'src/domain/x.ts': 'import type { Transaction } from "kysely"; export type X = Transaction;',
    },
  ],
  [
    'a job added by the domain',
    'bullmq-is-spoken-in-jobs',
    { 'src/domain/x.ts': 'import { Queue } from "bullmq"; Queue;' },
  ],
  [
    'a request in the domain',
    'domain-knows-no-transport',
    {
      'src/domain/x.ts':
        'import type { FastifyRequest } from "fastify"; export type X = FastifyRequest;',
    },
  ],
  [
    'a socket in the domain',
    'domain-knows-no-transport',
    { 'src/domain/x.ts': 'import { request } from "node:https"; request;' },
  ],
  [
    'a module of Node in the client',
    'client-runs-in-browsers',
    { 'src/client/x.ts': 'import { randomUUID } from "node:crypto"; randomUUID;' },
  ],
  [
    'a package of the service in the client',
    'client-runs-in-browsers',
    { 'src/client/x.ts': 'import { fastify } from "fastify"; fastify;' },
  ],
  [
    'modules that need each other',
    'no-circle',
    {
      'src/domain/x.ts': 'import { y } from "./y.js"; export const x = y;',
      'src/domain/y.ts': 'import { x } from "./x.js"; export const y = x;',
    },
  ],
  [
    'modules that need each other for a type',
    'no-circle',
    {
      'src/domain/x.ts': 'import { y } from "./y.js"; export type X = number; export const x = y;',
      'src/domain/y.ts': 'import type { X } from "./x.js"; export const y: X = 1;',
    },
  ],
  ['a module that nobody needs', 'no-orphan', { 'src/domain/x.ts': 'export const x = 1;' }],
  [
    'a development dependency',
    'no-development-dependency',
    { 'src/errors.ts': 'import "prettier";' },
  ],
  [
    'a package that is not in package.json',
    'no-undeclared-dependency',
    { 'src/errors.ts': 'import "undeclared";' },
  ],
  [
    'a file that is not there',
    'no-unresolvable-import',
    { 'src/errors.ts': 'import "./none.js";' },
  ],
];

t.test('what must not be imported is caught', async (t) => {
  for (const [guarantee, rule, files] of cases) {
    const names = (await violations(t, files)).map((violation) => violation.rule);
    t.same([...new Set(names)], rule === null ? [] : [rule], guarantee);
  }
});

t.test('each rule has caught something above', async (t) => {
  for (const { name } of rules.forbidden) t.ok(caught.has(name), name);
});

function importLine(keyword: string, from: string, to: string, name: string): string {
  const path = relative(dirname(from), to).replace(/\.ts$/, '.js');
  const imported = keyword === 'import' ? 'value' : 'Shape';
  const specifier = path.startsWith('.') ? path : `./${path}`;
  return `${keyword} { ${imported} as ${name} } from '${specifier}';\nexport { type ${name} };`;
}

/** What dependency-cruiser reports of a project that consists of these files. */
async function violations(
  t: Test,
  files: Record<string, string>,
): Promise<{ rule: string; to: string }[]> {
  const root = t.testdir({
    'package.json': JSON.stringify({
      dependencies: { kysely: '1', bullmq: '1', fastify: '1', pg: '1' },
      devDependencies: { prettier: '1' },
    }),
    node_modules: Object.fromEntries(
      ['kysely', 'bullmq', 'fastify', 'pg', 'prettier', 'undeclared'].map((name) => [
        name,
        { 'package.json': JSON.stringify({ name, main: 'index.js' }), 'index.js': '' },
      ]),
    ),
    src: {},
    generated: {},
  });
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(root, dirname(path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  const { output } = await cruise(['src', 'generated'], {
    ...rules.options,
    ruleSet: { forbidden: rules.forbidden },
    validate: true,
    baseDir: root,
  });
  const found = (output as ICruiseResult).summary.violations.map(({ rule, to }) => ({
    rule: rule.name,
    to,
  }));
  for (const { rule } of found) caught.add(rule);
  return found;
}
