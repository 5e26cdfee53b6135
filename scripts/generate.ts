import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../src/platform/package-root.js';
import { findStale, generateFiles } from './generate/files.js';

const projectRoot = packageRoot();

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      check: { type: 'boolean', default: false },
      document: { type: 'string', default: join(projectRoot, 'openapi.yaml') },
      output: { type: 'string', default: join(projectRoot, 'generated') },
    },
  });
  const files = await generateFiles(await readFile(values.document, 'utf8'));
  const stale = await findStale(values.output, files);
  const displayPath = (name: string): string => relative(process.cwd(), join(values.output, name));
  if (values.check) {
    for (const name of stale) {
      process.stderr.write(`${displayPath(name)} is stale: run npm run generate\n`);
    }
    process.exitCode = stale.length === 0 ? 0 : 1;
    return;
  }
  for (const name of stale) {
    const content = files.get(name);
    const path = join(values.output, name);
    if (content === undefined) await rm(path);
    else {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
    }
    process.stdout.write(`${displayPath(name)} ${content === undefined ? 'removed' : 'written'}\n`);
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`generate: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
