/**
 * Holds openapi.yaml to what has been released: a change that would break a consumer fails, unless
 * the major number of `info.version` is raised. So does a deprecation that answers do not announce.
 *
 *     npm run check -- compatibility                    compares with every release of the major
 *     npx tsx scripts/compatibility.ts --release        keeps openapi.yaml as released
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../src/platform/package-root.js';
import { findDeprecationProblems } from './compatibility/deprecations.js';
import { findBreakingChanges } from './compatibility/operations.js';
import { asObject, parseOpenApi, type JsonObject } from './generate/document.js';

const projectRoot = packageRoot();

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      release: { type: 'boolean', default: false },
      document: { type: 'string', default: join(projectRoot, 'openapi.yaml') },
      released: { type: 'string', default: join(projectRoot, 'test/contract/released') },
    },
  });
  const text = await readFile(values.document, 'utf8');
  const current = parseOpenApi(text);
  const version = versionOf(current);
  if (values.release) {
    // A release is never written twice.
    await writeFile(join(values.released, `openapi-${version}.yaml`), text, { flag: 'wx' });
    return;
  }
  for (const problem of findDeprecationProblems(current)) fail(problem);
  for (const name of await readdir(values.released)) {
    const released = parseOpenApi(await readFile(join(values.released, name), 'utf8'));
    if (majorOf(released) !== majorOf(current)) continue;
    for (const change of findBreakingChanges(released, current)) {
      fail(
        `${change}, which breaks consumers of ${versionOf(released)}: undo it, or raise the major number of info.version`,
      );
    }
  }
}

function fail(problem: string): void {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}

function versionOf(document: JsonObject): string {
  return String(asObject(document['info'], 'info')['version']);
}

function majorOf(document: JsonObject): string {
  return String(versionOf(document).split('.')[0]);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`compatibility: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
