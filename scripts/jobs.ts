/**
 * `npm run jobs [-- numbers… browsers…]`: does nineteen everyday jobs of a studio with three artists, in
 * real browsers on a phone's screen, and prints how many presses each takes. A press is one of a link,
 * a button or a box, and of a field that does not have the focus; the keyboard's Enter is one, too.
 * Letters are counted apart, and so is what is chosen in the phone's own lists, calendars and clocks.
 * Pictures of the last pages are in JOBS_PICTURES, a folder. Exits with 1 if a job cannot be done.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRunClock } from '../test/support/run-clock.js';
import { runStart } from './jobs/start.js';

const { TEST_CLOCK_SHIFT_MS } = startRunClock(runStart);
Object.assign(process.env, { TEST_CLOCK_SHIFT_MS });
// Before the service and its database driver are loaded.
await import('../test/support/preload.js');
const { runJobs } = await import('./jobs/run.js');

const folder = process.env['JOBS_PICTURES'] ?? join(tmpdir(), 'jobs-pictures');
process.exitCode = (await runJobs(process.argv.slice(2), folder)) ? 0 : 1;
