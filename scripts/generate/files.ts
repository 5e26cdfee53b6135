import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { formatText } from '../format.js';
import { emitClient } from './client.js';
import { emitConstant } from './constant.js';
import { parseOpenApi } from './document.js';
import { emitMessages } from './messages.js';
import { emitOperations } from './operations.js';
import { emitQueries } from './queries.js';
import { emitSchemas } from './schemas.js';
import { emitWindowsZones } from './windows-zones.js';

/** The generated files by path in `generated/`, formatted with the project's settings. */
export async function generateFiles(yamlText: string): Promise<Map<string, string>> {
  const document = parseOpenApi(yamlText);
  const sources = {
    'schemas.ts': emitSchemas(document),
    'operations.ts': emitOperations(document),
    'client.ts': await emitClient(yamlText),
    'document.ts': emitConstant(document),
    'messages.ts': emitMessages(),
    'windows-zones.ts': emitWindowsZones(),
  };
  const files = await emitQueries();
  for (const [name, source] of Object.entries(sources)) {
    files.set(name, await formatText(name, source));
  }
  return files;
}

/** The paths in the folder whose content differs from the generated files, or that are not of them. */
export async function findStale(folder: string, files: Map<string, string>): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const present = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const stale = present.filter((name) => !files.has(name));
  for (const [name, content] of files) {
    const current = await readFile(join(folder, name), 'utf8').catch(() => undefined);
    if (current !== content) stale.push(name);
  }
  return stale;
}
