/**
 * `npm run conformance`: the official suites of MCP, for both eras of the protocol, against the
 * built service, and against a fixture: the same connector with the tools that the suites bring
 * along. Succeeds when exactly those checks fail that `conformance/expected-failures.ts` lists.
 *
 * The suites need Node 22, which npx fetches along with them; so this is no part of `npm test`.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startService } from './bench/processes.js';
import { suites, type ExpectedFailures, type Suite } from './conformance/expected-failures.js';
import { startFixture } from './conformance/fixture.js';

interface Target {
  name: string;
  url: string;
  stop(): Promise<void>;
}

interface Check {
  /** `scenario/check`, or the scenario alone where both have one name. */
  name: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

const run = promisify(execFile);
const targets: [name: string, start: () => Promise<Omit<Target, 'name'>>][] = [
  ['the service', () => startService()],
  ['the fixture', startFixture],
];

let asExpected = true;
for (const [name, start] of targets) {
  const target = await start();
  try {
    for (const suite of suites) {
      const isFixture = name === 'the fixture';
      const expected = suite.expected.filter((group) => !(isFixture && group.passesOnFixture));
      const checks = await checksOf(suite, target.url);
      const { version, selection } = suite;
      console.log(`${name}, ${version} ${selection}: ${summaryOf(checks)}`);
      const surprises = surprisesIn(checks, expected);
      for (const surprise of surprises) console.log(`  ${surprise}`);
      if (surprises.length > 0) asExpected = false;
    }
  } finally {
    await target.stop();
  }
}
process.exitCode = asExpected ? 0 : 1;

/** Runs a suite, and reads what it has written of every check. */
async function checksOf({ version, selection }: Suite, url: string): Promise<Check[]> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    // By this name, its check of DNS rebinding is active.
    const address = `${url.replace('127.0.0.1', 'localhost')}/api/public/mcp`;
    const command = `conformance server --url ${address} ${selection} --output-dir ${folder}`;
    const suitePackage = `@modelcontextprotocol/conformance@${version}`;
    const output = await run('npx', [
      '-y',
      '-p',
      'node@22',
      '-p',
      suitePackage,
      '-c',
      command,
    ]).then(
      ({ stdout }) => stdout,
      // It exits with 1 when any check fails.
      (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
    );
    const checks: Check[] = [];
    for (const scenarioFolder of await readdir(folder)) {
      // `server-<scenario>-<time>`
      const scenario = scenarioFolder.replace(/^server-|-\d{4}-\d\d-\d\dT[\w-]+$/gu, '');
      const text = await readFile(join(folder, scenarioFolder, 'checks.json'), 'utf8');
      for (const { id, ...check } of JSON.parse(text) as (Check & { id: string })[]) {
        checks.push({ ...check, name: id === scenario ? id : `${scenario}/${id}` });
      }
    }
    if (checks.length === 0) throw new Error(`the suite has checked nothing:\n${output}`);
    return checks;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What fails and is not listed, and what is listed and does not fail. */
function surprisesIn(checks: Check[], expected: ExpectedFailures[]): string[] {
  const listed = new Set(expected.flatMap((group) => group.checks));
  const failures = checks.filter(({ status }) => status === 'FAILURE');
  const failed = new Set(failures.map(({ name }) => name));
  return [
    ...failures
      .filter(({ name }) => !listed.has(name))
      .map(({ name, errorMessage }) => `${name} fails: ${errorMessage ?? ''}`),
    ...[...listed]
      .filter((name) => !failed.has(name))
      .map((name) => `${name} is listed, and does not fail`),
  ];
}

function summaryOf(checks: Check[]): string {
  const count = (wanted: Check['status']) =>
    checks.filter(({ status }) => status === wanted).length;
  return `${count('SUCCESS')} checks pass, ${count('FAILURE')} fail, ${count('WARNING')} warn`;
}
