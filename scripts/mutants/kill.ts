import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import { bundleTests } from '../../test/support/build.js';
import { runFile } from '../../test/support/run-file.js';
import { startServers, type Environment } from '../../test/support/servers.js';
import type { Mutant } from './mutant.js';

export interface Plan {
  mutants: (Mutant & { reachedWith: string | null })[];
  tests: string[];
  seconds: number;
  jobs: number;
  /** The folder of what is found. */
  results: string;
  /** The folder of the project as it is. */
  originals: string;
}

const outcomes = ['killed', 'survived', 'unreached', 'invalid'] as const;
type Outcome = (typeof outcomes)[number];

interface Result extends Pick<Mutant, 'key' | 'file' | 'line' | 'original' | 'replacement'> {
  outcome: Outcome;
  /** The test file that killed it. */
  by: string | null;
}

interface Reached {
  seconds: number;
  switches: string[];
}

/** Tests of one second that fail under load must not be taken for a kill. */
const leastTimeoutSeconds = 60;
/** Further files are not bundled for a mutant in SQL. */
const mostFiles = 12;
const never = new AbortController().signal;

/** Runs, for each mutant without a result, the tests that reach it until one fails. */
export async function kill(plan: Plan, root: string, folder: string): Promise<void> {
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const servers = await startServers(plan.tests, stops);
    const reached = await findReached(plan, servers, folder);
    const results = join(plan.results, 'results.jsonl');
    const known = new Set(readResults(results).map(({ key }) => key));
    const waiting = plan.mutants.filter(({ key }) => !known.has(key));
    const formerKills = readFormerKills(dirname(plan.results));
    const kills = new Map<string, number>();
    await inParallel(plan.jobs, waiting, async (mutant, worker) => {
      const began = performance.now();
      const former = formerKills.get(mutant.key);
      const likeliest = likeliestFirst(mutant, reached, kills).sort(
        (a, b) => Number(b === former) - Number(a === former),
      );
      const files = mutant.switchId === null ? likeliest.slice(0, mostFiles) : likeliest;
      const { outcome, by } = await tryFiles(mutant, files);
      if (by !== null)
        kills.set(`${mutant.file} ${by}`, (kills.get(`${mutant.file} ${by}`) ?? 0) + 1);
      const { key, file, line, mutator, original, replacement } = mutant;
      const seconds = Math.round((performance.now() - began) / 1000);
      const result = { key, outcome, by, seconds, file, line, mutator, original, replacement };
      appendFileSync(results, `${JSON.stringify(result)}\n`);
      console.log(`${outcome}  ${file}:${line} ${mutator} ${by ?? ''} (${seconds} s)`);

      async function tryFiles(
        { switchId }: Mutant,
        tests: string[],
      ): Promise<{ outcome: Outcome; by: string | null }> {
        if (tests.length === 0) return { outcome: 'unreached', by: null };
        let environment: Environment = { ...servers, TAP_BAIL: '1' };
        if (switchId !== null) {
          environment = { ...environment, __STRYKER_ACTIVE_MUTANT__: switchId };
        } else {
          const mutatedFolder = `${folder}-${worker}`;
          if (!compile(mutant, tests, mutatedFolder)) return { outcome: 'invalid', by: null };
          environment = { ...environment, TEST_RUN_FOLDER: mutatedFolder };
        }
        const until = began + plan.seconds * 1000;
        for (const test of tests) {
          if (performance.now() > until) break;
          const usual = reached.get(test)?.seconds ?? 0;
          const timeout = String(Math.round(Math.max(leastTimeoutSeconds, usual * 5)));
          const run = await runFile(test, { ...environment, TAP_TIMEOUT: timeout }, never);
          if (run.failed > 0) return { outcome: 'killed', by: test };
        }
        return { outcome: 'survived', by: null };
      }
    });
    printSummary(readResults(results));
  } finally {
    for (const stop of stops.reverse()) await stop();
  }

  /** Compiles the file of a mutant, and bundles the tests with it. */
  function compile(mutant: Mutant, tests: string[], mutatedFolder: string): boolean {
    const text = readFileSync(join(plan.originals, mutant.file), 'utf8');
    const changed = text.slice(0, mutant.start) + mutant.replacement + text.slice(mutant.end);
    rmSync(mutatedFolder, { recursive: true, force: true });
    execFileSync('cp', ['-al', folder, mutatedFolder]);
    rmSync(join(mutatedFolder, 'tests'), { recursive: true });
    rmSync(join(mutatedFolder, 'bundle'), { recursive: true });
    const target = join(mutatedFolder, mutant.file.replace(/\.tsx?$/, '.js'));
    unlinkSync(target);
    try {
      const compilerOptions = {
        verbatimModuleSyntax: true,
        jsx: 'react-jsx',
        jsxImportSource: 'preact',
      } as const;
      const { code } = transformSync(changed, {
        loader: 'tsx',
        format: 'esm',
        tsconfigRaw: { compilerOptions },
      });
      writeFileSync(target, code);
    } catch {
      return false;
    }
    return bundleTests(root, mutatedFolder, tests);
  }
}

function readResults(file: string): Result[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Result);
}

/** The test files that killed the mutants in the runs with other states of code and tests. */
function readFormerKills(folder: string): Map<string, string> {
  const runs = readdirSync(folder).map((run) => readResults(join(folder, run, 'results.jsonl')));
  return new Map(runs.flat().flatMap(({ key, by }) => (by === null ? [] : [[key, by]])));
}

function printSummary(results: Result[]): void {
  for (const outcome of outcomes) {
    const found = results.filter((result) => result.outcome === outcome);
    console.log(`${found.length} ${outcome}`);
    if (outcome === 'killed') continue;
    for (const { file, line, original, replacement } of found) {
      console.log(`  ${file}:${line}  ${original} -> ${replacement}`);
    }
  }
}

/** Which switches each test file reaches, which passes without a mutant. */
async function findReached(
  { tests, results, jobs }: Plan,
  servers: Environment,
  folder: string,
): Promise<Map<string, Reached>> {
  const file = join(results, 'reached.json');
  const known = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as [string, Reached][])
    : [];
  const found = new Map(known);
  const preload = pathToFileURL(join(folder, 'scripts/mutants/reached-preload.js')).href;
  const waiting = tests.filter((test) => !found.has(test));
  await inParallel(jobs, waiting, async (test, worker) => {
    const notes = join(folder, `reached-${worker}`);
    rmSync(notes, { force: true });
    const run = await runFile(
      test,
      {
        ...servers,
        MUTANTS_REACHED: notes,
        NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${preload}`,
        TAP_TIMEOUT: '480',
      },
      never,
    );
    const lines = existsSync(notes) ? readFileSync(notes, 'utf8').split('\n') : [];
    const switches = run.failed > 0 ? [] : [...new Set(lines)];
    found.set(test, { seconds: run.seconds, switches });
    writeFileSync(file, JSON.stringify([...found]));
    console.log(
      `${run.failed > 0 ? 'FAIL' : 'ok'}  ${test}: ${switches.length} (${run.seconds.toFixed(1)} s) ${run.processorSeconds.toFixed(1)}`,
    );
    if (run.failed > 0) console.log(run.report.slice(0, 2_000));
  });
  return found;
}

/** Short files first, and before them those near the code, and those that killed its neighbours. */
function likeliestFirst(
  { file, reachedWith }: Plan['mutants'][number],
  reached: Map<string, Reached>,
  kills: Map<string, number>,
): string[] {
  if (reachedWith === null) return [];
  const folder = basename(dirname(file));
  const words = basename(file)
    .replace(/\.\w+$/, '')
    .split('-');
  const cost = ([test, { seconds, switches }]: [string, Reached]): number => {
    const shared = words.filter((word) => test.includes(word.replace(/s$/, ''))).length;
    const near = test.includes(`/${folder}/`) ? 2 : 1;
    const killed = kills.get(`${file} ${test}`) ?? 0;
    return (seconds * Math.sqrt(switches.length)) / ((1 + shared) * near * (1 + 2 * killed));
  };
  return [...reached]
    .filter(([, { switches }]) => switches.includes(reachedWith))
    .sort((a, b) => cost(a) - cost(b))
    .map(([test]) => test);
}

async function inParallel<Item>(
  jobs: number,
  items: Item[],
  work: (item: Item, worker: number) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const next = async (_: unknown, worker: number): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      await work(item, worker);
    }
  };
  await Promise.all(Array.from({ length: jobs }, next));
}
