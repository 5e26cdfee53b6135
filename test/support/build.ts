import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

const compiledFolders = ['src', 'generated', 'scripts', 'test'];

/**
 * Compiles a project into a folder, without checking types, and bundles its programs and these test
 * files there. Returns whether they could be bundled; throws where code cannot be parsed.
 */
export function buildTests(root: string, folder: string, files: string[]): boolean {
  buildSync({
    entryPoints: compiledFolders.flatMap((name) => sourcesIn(join(root, name))),
    outdir: folder,
    outbase: root,
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    tsconfig: join(root, 'tsconfig.json'),
  });
  return bundleTests(root, folder, files);
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : sourcesIn(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/** Bundles anew what is compiled. */
export function bundleTests(root: string, folder: string, files: string[]): boolean {
  const bundler = join(root, 'scripts/bundle.js');
  const compiled = files.map((file) => file.replace(/\.tsx?$/, '.js'));
  return run(bundler, folder) && run(bundler, folder, 'tests', ...compiled);
}

function run(...command: string[]): boolean {
  return spawnSync(process.execPath, command, { stdio: 'inherit' }).status === 0;
}
