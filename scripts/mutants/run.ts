/** Runs the tests against the mutants of a plan, in the copy of the project that mutants.ts made. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildTests } from '../../test/support/build.js';
import type { Plan } from './kill.js';

const root = process.cwd();
const plan = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Plan;
const folder = join(root, 'dist/tests/mutants');
process.env['TEST_RUN_FOLDER'] = folder;
if (!buildTests(root, folder, plan.tests)) throw new Error('The mutants do not compile.');
const compiled = pathToFileURL(join(folder, 'scripts/mutants/kill.js')).href;
const { kill } = (await import(compiled)) as typeof import('./kill.js');
await kill(plan, root, folder);
