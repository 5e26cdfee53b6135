/**
 * Runs a program of dist/bundle in this process, with the arguments that follow, after a build where
 * one is due:
 *
 *     node scripts/run.js main.js
 */
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { ensureBuild } from './ensure-build.js';

if (ensureBuild()) {
  const [program] = process.argv.splice(2, 1);
  const file = new URL(`../dist/bundle/${program}`, import.meta.url);
  process.argv[1] = fileURLToPath(file);
  // Since Node 22. Beside the build, since what is read from here is run.
  module.enableCompileCache?.(fileURLToPath(new URL('../dist/.compiled', import.meta.url)));
  await import(file.href).catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    console.error(`A package is missing (${error.message}): run npm ci first.`);
    process.exitCode = 1;
  });
} else {
  process.exitCode = 1;
}
