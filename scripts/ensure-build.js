/**
 * Plain JavaScript without dependencies, since it also runs where there are no development
 * dependencies (`npm ci --omit=dev`).
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const esbuild = join(root, 'node_modules/esbuild/package.json');
const bundler = 'scripts/bundle.js';
const folders = ['generated', 'src'];
const files = ['package.json', 'package-lock.json', 'tsconfig.json', bundler];
const main = join(root, 'dist/bundle/main.js');
/** The digest of what the build in dist was made from. */
const stamp = join(root, 'dist/.built-from');

/**
 * Bundles the programs into dist, without checking types, if anything has changed. Without esbuild, a
 * build that was brought along is enough, unless it is known to be of other sources; with `ifPossible`,
 * none is needed, and a line says so.
 *
 * @returns {boolean} false after printing why there is no build
 */
export function ensureBuild({ ifPossible = false } = {}) {
  const built = existsSync(main) && existsSync(stamp) ? readFileSync(stamp, 'utf8') : null;
  const hasBundler = existsSync(esbuild);
  const hasSources = existsSync(join(root, 'src/main.ts'));
  if (!hasBundler && existsSync(main) && (built === null || !hasSources)) return true;
  if (!hasBundler && ifPossible) {
    console.error(
      'Not built, since development dependencies are left out: bring dist/bundle of a checkout where `npm ci` has run, or use the package that `npm pack` makes.',
    );
    return true;
  }
  const digest = digestOfSources();
  if (built === digest) return true;
  if (!hasBundler) {
    const state = built === null ? 'There is no build in dist' : 'The build in dist is outdated';
    console.error(`${state}, and no esbuild to make one: run npm ci first.`);
    return false;
  }
  rmSync(stamp, { force: true });
  // Not to standard output, which is the program's.
  console.error('Building the service from its sources: once after each change of them.');
  if (!run(join(root, bundler))) return false;
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(stamp, digest);
  return true;
}

/** @param {string[]} args */
function run(...args) {
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status === 0;
}

/** Of names and contents: unlike their times, they survive a copy, a checkout and an image. */
function digestOfSources() {
  const hash = createHash('sha256');
  for (const file of [...files, ...folders.flatMap(sourcesIn)]) {
    const path = join(root, file);
    const content = existsSync(path) ? readFileSync(path) : '';
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** @param {string} folder */
function sourcesIn(folder) {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true })
    .map((name) => `${folder}/${name}`)
    .filter((name) => /\.(tsx?|js|css|html)$/.test(name))
    .sort();
}
