/**
 * Changes the code in many small ways, one at a time, and tells which changes no test notices:
 *
 *     npm run test:mutants [-- --count=400 --seed=1 --seconds=60 --jobs=2]
 *
 * Draws the mutants of StrykerJS and of SQL (mutants/) with a fixed seed, runs each test file once to
 * see which mutants it reaches, and then for each mutant the files that reach it, the likeliest
 * first, until one fails or `seconds` have passed. Some hours. The results are lines of JSON in
 * `dist/mutants/<hash of code and tests>/results.jsonl`: a run that was stopped continues from there.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../src/platform/package-root.js';
import { packageTests } from '../test/support/servers.js';
import { instrument } from './mutants/code.js';
import { draw, type Candidate, type Mutant } from './mutants/mutant.js';
import { sqlCandidates } from './mutants/sql.js';

const mutated =
  /^src\/(domain|schedule|board|access|repositories|webhooks|mail|icalendar|views)\/.*\.tsx?$/;
/** Of the drawn ones: a fifth is SQL, however few its candidates are. */
const sqlShare = 0.2;

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '400' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '60' },
    jobs: { type: 'string', default: '2' },
  },
});
const root = packageRoot();
/** A copy of the project, with its code instrumented. */
const copy = join(root, 'dist/mutants/project');

const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' });
const files = tracked
  .trim()
  .split('\n')
  .filter((file) => existsSync(join(root, file)));
const texts = new Map(
  files
    .filter((file) => mutated.test(file))
    .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
);
const instrumented = await instrument(texts);
const sql = [...texts].flatMap(([file, text]) => sqlCandidates(file, text));
const count = Number(options.count);
const sqlCount = Math.round(count * sqlShare);
const mutants = [
  ...draw(instrumented.candidates, count - sqlCount, options.seed),
  ...draw(sql, sqlCount, options.seed),
];
console.log(
  `${mutants.length} mutants of ${instrumented.candidates.length} in code and ${sql.length} in SQL`,
);

rmSync(copy, { recursive: true, force: true });
for (const file of files) {
  mkdirSync(join(copy, dirname(file)), { recursive: true });
  const code = instrumented.files.get(file);
  if (code === undefined) cpSync(join(root, file), join(copy, file));
  else writeFileSync(join(copy, file), `// @ts-nocheck\n${code}`);
}
const hash = createHash('sha256');
for (const file of files.filter((each) => /^(src|generated|test)\//.test(each))) {
  hash.update(`${file}\n`).update(readFileSync(join(root, file)));
}
const results = join(root, 'dist/mutants', hash.digest('hex').slice(0, 12));
mkdirSync(results, { recursive: true });
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
const plan = {
  mutants: mutants.map((mutant) => ({ ...mutant, reachedWith: reachedWith(mutant) })),
  // Those that use the package build it, and the mutated code has no types.
  tests: files.filter((file) => /^test\/.*\.test\.tsx?$/.test(file) && !packageTests.test(file)),
  seconds: Number(options.seconds),
  jobs: Number(options.jobs),
  results,
  originals: root,
};
writeFileSync(join(copy, 'plan.json'), JSON.stringify(plan));
execFileSync(process.execPath, ['--import', 'tsx', 'scripts/mutants/run.ts', 'plan.json'], {
  cwd: copy,
  stdio: 'inherit',
});

/** The switch that is reached when the mutant is: its own, or of the code around it. */
function reachedWith({ file, start, end, switchId }: Mutant): string | null {
  if (switchId !== null) return switchId;
  const around = instrumented.candidates
    .filter((other) => other.file === file && other.start <= start && end <= other.end)
    .sort((a: Candidate, b: Candidate) => a.end - a.start - (b.end - b.start));
  return around[0]?.switchId ?? null;
}
