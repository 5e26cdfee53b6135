/**
 * `npm run conformance` runs the official conformance suites of MCP for every protocol version,
 * against the built service. Succeeds if exactly the checks fail that
 * `conformance/expected-failures.ts` lists.
 *
 * The suites need Node 22, which npx downloads with them, so this is not part of `npm test`.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startService } from './bench/processes.js';
import { suites, type ExpectedFailures, type Suite } from './conformance/expected-failures.js';

interface Check {
  /** `scenario/check`, or only the scenario if both have the same name. */
  name: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
}

const run = promisify(execFile);
let asExpected = true;
const service = await startService();
try {
  for (const suite of suites) {
    const checks = await checksOf(suite, service.url);
    console.log(`${suite.version} ${suite.selection}: ${summaryOf(checks)}`);
    const differences = differencesFrom(checks, suite.expected);
    for (const difference of differences) console.log(`  ${difference}`);
    if (differences.length > 0) asExpected = false;
  }
} finally {
  await service.stop();
}
process.exitCode = asExpected ? 0 : 1;

/** Runs a suite and reads the result of every check. */
async function checksOf({ version, selection }: Suite, url: string): Promise<Check[]> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    // The suite checks DNS rebinding only for this host name.
    const address = `${url.replace('127.0.0.1', 'localhost')}/api/public/mcp`;
    const command = `conformance server --url ${address} ${selection} --output-dir ${folder}`;
    const suitePackage = `@modelcontextprotocol/conformance@${version}`;
    const packages = ['-p', 'node@22', '-p', suitePackage];
    const output = await run('npx', ['-y', ...packages, '-c', command]).then(
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
    if (checks.length === 0) throw new Error(`the suite has run no checks:\n${output}`);
    return checks;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The checks that fail but are not listed, and those that are listed but do not fail. */
function differencesFrom(checks: Check[], expected: ExpectedFailures[]): string[] {
  const listed = new Set(expected.flatMap((group) => group.checks));
  const failures = checks.filter(({ status }) => status === 'FAILURE');
  const failed = new Set(failures.map(({ name }) => name));
  return [
    ...failures
      .filter(({ name }) => !listed.has(name))
      .map(({ name, errorMessage }) => `${name} fails: ${errorMessage ?? ''}`),
    ...[...listed]
      .filter((name) => !failed.has(name))
      .map((name) => `${name} is listed but does not fail`),
  ];
}

function summaryOf(checks: Check[]): string {
  const count = (wanted: Check['status']) =>
    checks.filter(({ status }) => status === wanted).length;
  return `${count('SUCCESS')} checks pass, ${count('FAILURE')} fail, ${count('WARNING')} warn`;
}
