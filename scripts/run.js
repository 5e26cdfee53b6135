/**
 * Runs a compiled program in this process, with the arguments that follow, after a build where one is
 * due:
 *
 *     node scripts/run.js src/main.js
 */
import { fileURLToPath } from 'node:url';
import { ensureBuild } from './ensure-build.js';

if (ensureBuild()) {
  const [program] = process.argv.splice(2, 1);
  const file = new URL(`../dist/${program}`, import.meta.url);
  process.argv[1] = fileURLToPath(file);
  await import(file.href);
} else {
  process.exitCode = 1;
}
