import { pathToFileURL } from 'node:url';
import { compiledFile } from './project.js';

/** A Tuesday noon in the studio's zone. */
const usualMoment = '2026-12-01T12:00:00-08:00';

/** Gives a process the run's clock. */
export const runPreload = pathToFileURL(compiledFile('test/support/preload.ts')).href;

/**
 * The environment that gives the processes of a test run their clock: it shows `wanted` now (RFC
 * 3339), and then the time elapsed.
 */
export function startRunClock(wanted = usualMoment): Record<string, string> {
  const now = Date.parse(wanted);
  if (!/^[-\d]{10}T[\d:]{8}(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(wanted) || Number.isNaN(now)) {
    throw new Error(`TEST_NOW must be an instant such as ${usualMoment}, not ${wanted}`);
  }
  return {
    TEST_NOW: new Date(now).toISOString(),
    TEST_CLOCK_SHIFT_MS: String(now - Date.now()),
    NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${runPreload}`.trim(),
  };
}

/** What a process needs to share the run's clock, of the environment of a test process. */
export const runClock = {
  NODE_OPTIONS: process.env['NODE_OPTIONS'],
  TEST_CLOCK_SHIFT_MS: process.env['TEST_CLOCK_SHIFT_MS'],
};
