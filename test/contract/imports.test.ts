import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';
import type { IForbiddenRuleType } from 'dependency-cruiser';
import t from 'tap';
import { projectRoot } from '../support/project.js';

interface Rules {
  forbidden: IForbiddenRuleType[];
  options: ICruiseOptions;
}

const settings = join(projectRoot, 'scripts/settings/dependency-cruiser.cjs');
const rules = createRequire(import.meta.url)(settings) as Rules;

/** What each file imports; the rule that it breaks, if any. */
const files: [file: string, text: string, breaks?: string][] = [
  ['src/domain/a.ts', 'import "../http/handler.js";', 'domain-imports'],
  ['src/domain/b.ts', 'export type { X } from "../http/handler.js";', 'domain-imports'],
  ['src/domain/c.ts', 'import "node:https";', 'domain-knows-no-transport'],
  ['src/domain/d.ts', 'import "kysely";', 'sql-is-spoken-in-repositories'],
  ['src/domain/e.ts', 'import "./f.js";', 'no-circle'],
  ['src/domain/f.ts', 'import "./e.js";'],
  ['src/domain/g.ts', 'export const x = 1;', 'no-orphan'],
  ['src/client/a.ts', 'import "node:crypto";', 'client-runs-in-browsers'],
  ['src/http/a.ts', 'import "../repositories/rows.js";', 'web-entrances-call-no-repository'],
  ['src/http/handler.ts', 'export type { X } from "../repositories/rows.js";'],
  ['src/repositories/rows.ts', 'import "kysely"; export type X = 1;'],
  ['src/a.ts', 'import "../test/x.js";', 'src-stands-without-test-and-scripts'],
  ['src/b.ts', 'import "prettier";', 'no-development-dependency'],
  ['test/x.ts', ''],
];

t.test('an import against the direction of the folders is caught, and no other', async (t) => {
  const packages = ['kysely', 'prettier'].map(
    (name) =>
      [
        name,
        { 'package.json': JSON.stringify({ name, main: 'index.js' }), 'index.js': '' },
      ] as const,
  );
  const dependencies = { dependencies: { kysely: '1' }, devDependencies: { prettier: '1' } };
  const root = t.testdir({
    'package.json': JSON.stringify(dependencies),
    node_modules: Object.fromEntries(packages),
    generated: {},
  });
  for (const [file, text] of files) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  }
  const { output } = await cruise(['src', 'generated'], {
    ...rules.options,
    ruleSet: { forbidden: rules.forbidden },
    validate: true,
    baseDir: root,
  });
  const { violations } = (output as ICruiseResult).summary;
  const found = violations.map(({ rule, from }) => `${from}: ${rule.name}`);
  const expected = files.flatMap(([file, , rule]) =>
    rule === undefined ? [] : [`${file}: ${rule}`],
  );
  t.strictSame(found.sort(), expected.sort());
});
