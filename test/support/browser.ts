import { chromium, type Browser } from 'playwright-core';
import type { Test } from 'tap';
import { shiftDate } from './shift-date.js';

const shiftMs = Number(process.env['TEST_CLOCK_SHIFT_MS']);

/** How long a page may take for anything: it shares the machine with the service and other tests. */
export const patienceMs = 120_000;

/**
 * A real Chromium, closed at the end of the test; null, with the test marked as skipped, on a
 * machine that has none. Its pages show the run's clock. Background services stay off: nothing may
 * leave the machine. `whole`: with what the headless shell lacks, that is, the back-forward cache and
 * private windows that block the cookies of other sites' frames.
 */
export async function launchBrowser(t: Test, kind: true | 'whole' = true): Promise<Browser | null> {
  if (process.env['TEST_WITHOUT_BROWSER'] === '1') {
    throw new Error('A file that starts a browser belongs in test/longer.ts.');
  }
  const executablePath = process.env[kind === 'whole' ? 'TEST_CHROMIUM' : 'TEST_CHROMIUM_SHELL'];
  if (executablePath === undefined) {
    t.pass('there is no Chromium on this machine', { skip: true });
    return null;
  }
  const browser = await chromium.launch({
    executablePath,
    // Playwright turns the cache off.
    ignoreDefaultArgs: kind === 'whole' ? ['--disable-back-forward-cache'] : [],
    timeout: patienceMs,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  t.teardown(() => browser.close());
  browser.on('context', (context) => {
    // First of all, so that no page connects again to a service that stops.
    t.teardown(() => context.close());
    // Runs before the init scripts of the test.
    context.addInitScript(shiftDate, shiftMs).catch(() => undefined);
  });
  return browser;
}
