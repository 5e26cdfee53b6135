/**
 * Makes dist if what it is made from has changed. `--if-possible` (npm's `prepare`): only where there is
 * a compiler.
 */
import { ensureBuild } from './ensure-build.js';

if (!ensureBuild({ ifPossible: process.argv.includes('--if-possible') })) process.exitCode = 1;
