/**
 * The packages of scripts/tools: generators, linters and drivers that few runs need and that are half of
 * what all development installs. They have a package.json and a lock of their own.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../src/platform/package-root.js';

const toolsFolder = join(packageRoot(), 'scripts/tools');

/** Whether what the lock names is installed. */
export function hasTools(): boolean {
  const installed = join(toolsFolder, 'node_modules/.package-lock.json');
  const lock = join(toolsFolder, 'package-lock.json');
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs;
}

/** Installs them where they are not. */
export function installTools(): void {
  if (hasTools()) return;
  console.error('Installing the packages of scripts/tools: once after each change of its lock.');
  // Some name a newer Node than they need.
  const args = ['ci', '--loglevel=error', '--ignore-scripts'];
  execFileSync('npm', args, { cwd: toolsFolder, stdio: ['ignore', 'inherit', 'inherit'] });
}

/** The file that a package of scripts/tools is started by. */
export function resolveTool(name: string): string {
  return createRequire(join(toolsFolder, 'package.json')).resolve(name);
}

/** Imports a package of scripts/tools as what the caller uses of it. */
export async function importTool<Tool>(name: string): Promise<Tool> {
  const { load } = (await import(pathToFileURL(join(toolsFolder, 'load.js')).href)) as {
    load: (name: string) => Promise<Tool>;
  };
  return load(name);
}

/** What is used of @hey-api/openapi-ts. */
export interface ClientGenerator {
  createClient: (options: {
    input: string | Record<string, unknown>;
    output: { path: string; module?: { extension: string } };
    logs: { level: 'silent'; file: false };
    plugins?: string[];
  }) => Promise<unknown>;
}
