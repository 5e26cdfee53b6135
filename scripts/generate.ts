import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { packageRoot } from '../src/platform/package-root.js';
import { emitClient } from './generate/client.js';
import { emitConstant } from './generate/constant.js';
import { parseOpenApi } from './generate/document.js';
import { emitOperations } from './generate/operations.js';
import { emitSchemas } from './generate/schemas.js';

const projectRoot = packageRoot();

/** The generated files by name, formatted with the project's settings. */
async function generate(yamlText: string): Promise<Map<string, string>> {
  const document = parseOpenApi(yamlText);
  const sources = {
    'schemas.ts': emitSchemas(document),
    'operations.ts': emitOperations(document),
    'client.ts': await emitClient(yamlText),
    'document.ts': emitConstant(document),
  };
  const settings = await resolveConfig(join(projectRoot, 'generated/schemas.ts'));
  const files = new Map<string, string>();
  for (const [name, source] of Object.entries(sources)) {
    files.set(name, await format(source, { ...settings, parser: 'typescript' }));
  }
  return files;
}

/** The names in the folder whose content differs from what belongs there, or is too much. */
async function findStale(folder: string, files: Map<string, string>): Promise<string[]> {
  const present = await readdir(folder).catch(() => []);
  const stale = present.filter((name) => !files.has(name));
  for (const [name, content] of files) {
    const current = await readFile(join(folder, name), 'utf8').catch(() => undefined);
    if (current !== content) stale.push(name);
  }
  return stale;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      check: { type: 'boolean', default: false },
      document: { type: 'string', default: join(projectRoot, 'openapi.yaml') },
      output: { type: 'string', default: join(projectRoot, 'generated') },
    },
  });
  const files = await generate(await readFile(values.document, 'utf8'));
  const stale = await findStale(values.output, files);
  const shown = (name: string): string => relative(process.cwd(), join(values.output, name));
  if (values.check) {
    for (const name of stale) {
      process.stderr.write(`${shown(name)} is stale: run npm run generate\n`);
    }
    process.exitCode = stale.length === 0 ? 0 : 1;
    return;
  }
  await mkdir(values.output, { recursive: true });
  for (const name of stale) {
    const content = files.get(name);
    if (content === undefined) await rm(join(values.output, name));
    else await writeFile(join(values.output, name), content);
    process.stdout.write(`${shown(name)} ${content === undefined ? 'removed' : 'written'}\n`);
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`generate: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
