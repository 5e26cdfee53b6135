import puppeteer, { type Page } from 'puppeteer-core';
import type { Test } from 'tap';
import { shiftDate } from './shift-date.js';

const shiftMs = Number(process.env['TEST_CLOCK_SHIFT_MS']);

/**
 * Opens pages of fresh profiles in a real Firefox, on a phone. Its pages show the run's clock, and
 * what fails in one fails the test. Null, with the test marked as skipped, on a machine that has none.
 * Over WebDriver BiDi: Playwright drives no Firefox but one of its own.
 */
export async function launchFirefox(t: Test): Promise<((t: Test) => Promise<Page>) | null> {
  const executablePath = process.env['TEST_FIREFOX'];
  if (executablePath === undefined) {
    t.pass('there is no Firefox on this machine', { skip: true });
    return null;
  }
  // A busy machine: see `patienceMs`.
  const timeout = 120_000;
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    timeout,
    protocolTimeout: timeout,
  });
  t.teardown(() => browser.close());
  return async (t) => {
    const context = await browser.createBrowserContext();
    // First of all, so that no page connects again to a service that stops.
    t.teardown(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(timeout);
    page.on('pageerror', (error) => t.fail(`a script failed: ${String(error)}`));
    page.on('dialog', (dialog) => t.fail(`a dialog appeared: ${dialog.message()}`));
    await page.evaluateOnNewDocument(shiftDate, shiftMs);
    await page.setViewport({ width: 390, height: 664 });
    return page;
  };
}
