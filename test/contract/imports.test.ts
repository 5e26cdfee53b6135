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

const settings = '../../scripts/settings/dependency-cruiser.cjs';
const rules = createRequire(import.meta.url)(settings) as Rules;

/** The rules that have caught something so far. */
const caught = new Set<string>();

/** A module in each room of the house. */
const rooms = {
  main: 'src/main.ts',
  app: 'src/app.ts',
  service: 'src/service.ts',
  context: 'src/context.ts',
  errors: 'src/errors.ts',
  security: 'src/security/tokens.ts',
  generated: 'generated/schemas.ts',
  limits: 'src/limits/meter.ts',
  database: 'src/database/pool.ts',
  repositories: 'src/repositories/bookings.ts',
  calendar: 'src/domain/calendar.ts',
  domain: 'src/domain/holds.ts',
  views: 'src/views/hold.ts',
  dispatcher: 'src/events/dispatcher.ts',
  board: 'src/events/board.ts',
  queues: 'src/queues/queues.ts',
  webhooks: 'src/webhooks/send.ts',
  handlers: 'src/http/handlers/create-hold.ts',
  plugins: 'src/http/plugins/errors.ts',
  mcp: 'src/mcp/tools.ts',
  pages: 'src/pages/routes.ts',
  staff: 'src/staff/closures.ts',
  workers: 'src/workers/expiry.ts',
  client: 'src/client/client.ts',
} as const;

type Room = keyof typeof rooms;

const shared = ['errors', 'security'] as const;
const entrance = [
  ...shared,
  'generated',
  'limits',
  'calendar',
  'domain',
  'views',
  'board',
] as const;
const rows = ['database', 'repositories'] as const;
const exit = [...shared, ...rows, 'views', 'calendar'] as const;
const everyone = Object.keys(rooms) as Room[];

/** Who may import whom, said a second time: as values, and what more as types. */
const allowed: Record<Room, { values: readonly Room[]; types: readonly Room[] }> = {
  main: { values: everyone, types: [] },
  app: { values: everyone, types: [] },
  service: { values: everyone, types: [] },
  context: { values: everyone, types: [] },
  errors: { values: ['security'], types: ['context', 'generated', 'database'] },
  security: { values: ['errors'], types: ['context', 'generated', 'database'] },
  generated: { values: [], types: [] },
  limits: { values: shared, types: ['context', 'generated'] },
  database: { values: shared, types: ['context'] },
  repositories: { values: ['database'], types: ['context', ...shared, 'generated', 'calendar'] },
  calendar: { values: [], types: ['generated'] },
  views: { values: [...shared, 'calendar'], types: ['context', 'generated', ...rows] },
  domain: {
    values: [...shared, 'repositories', 'views', 'calendar'],
    types: ['context', 'generated', 'database', 'limits', 'board', 'dispatcher'],
  },
  dispatcher: { values: [...exit, 'board', 'queues'], types: ['context', 'generated'] },
  board: { values: [...exit, 'dispatcher', 'queues'], types: ['context', 'generated'] },
  queues: { values: exit, types: ['context', 'generated'] },
  webhooks: { values: exit, types: ['context', 'generated'] },
  handlers: { values: [...entrance, 'plugins'], types: ['context', ...rows] },
  plugins: { values: [...entrance, 'handlers'], types: ['context', ...rows] },
  mcp: { values: [...entrance, 'plugins'], types: ['context', ...rows] },
  pages: { values: [...entrance, 'plugins'], types: ['context', ...rows] },
  staff: { values: [...entrance, 'database', 'queues'], types: ['context', ...rows] },
  workers: {
    values: [...entrance, 'dispatcher', 'queues'],
    types: ['context', 'webhooks', ...rows],
  },
  client: { values: ['generated'], types: [] },
};

t.test('who imports whom is as the house is drawn, and anything else is caught', async (t) => {
  for (const from of everyone) {
    const { values, types } = allowed[from];
    const others = everyone.filter((room) => room !== from);
    t.same(
      await refused(t, from, others, 'import'),
      others.filter((room) => !values.includes(room)),
      `${from}, values`,
    );
    t.same(
      await refused(t, from, others, 'import type'),
      others.filter((room) => !values.includes(room) && !types.includes(room)),
      `${from}, types`,
    );
  }
});

/** Files of a tree, and the one rule that must be broken there, or none. */
const cases: [guarantee: string, rule: string | null, files: Record<string, string>][] = [
  [
    'a folder of src that has no layer',
    'every-folder-is-a-layer',
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
    'SQL in a handler',
    'sql-is-spoken-in-repositories',
    { 'src/http/handlers/x.ts': 'import { sql } from "kysely"; sql;' },
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
    'bullmq-is-spoken-in-queues',
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
    'modules that know each other by type',
    null,
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

/** The rooms that `from` is not allowed to import, when it imports all of them. */
async function refused(
  t: Test,
  from: Room,
  others: Room[],
  keyword: 'import' | 'import type',
): Promise<Room[]> {
  const files: Record<string, string> = {};
  const lines = others.map((room) => {
    files[rooms[room]] = 'export interface Shape {}\nexport const value = 1;\n';
    const path = relative(dirname(rooms[from]), rooms[room]).replace(/\.ts$/, '.js');
    const name = keyword === 'import' ? 'value' : 'Shape';
    return `${keyword} { ${name} as ${room} } from '${path.startsWith('.') ? path : `./${path}`}';`;
  });
  files[rooms[from]] = `${lines.join('\n')}\nexport const all = [${others.join(', ')}];\n`;
  const broken = await violations(t, files);
  return others.filter((room) => broken.some(({ to }) => to === rooms[room]));
}

/** What dependency-cruiser reports of a project that consists of these files. */
async function violations(
  t: Test,
  files: Record<string, string>,
): Promise<{ rule: string; to: string }[]> {
  const root = t.testdir({
    'package.json': JSON.stringify({
      dependencies: { kysely: '1', bullmq: '1', fastify: '1' },
      devDependencies: { prettier: '1' },
    }),
    node_modules: Object.fromEntries(
      ['kysely', 'bullmq', 'fastify', 'prettier', 'undeclared'].map((name) => [
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
