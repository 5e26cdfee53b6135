/**
 * Compiles src and generated into dist if they have changed. `--if-possible` (npm's `prepare`): only
 * where there is a compiler.
 */
import { ensureBuild } from './ensure-build.js';

if (!ensureBuild({ ifPossible: process.argv.includes('--if-possible') })) process.exitCode = 1;
