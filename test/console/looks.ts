import type { Test } from 'tap';
import { accessibilityViolations, expectFits, openPage } from '../support/pages.js';
import { type BrowserService, generous, startService } from '../support/service.js';
import type { Visitor } from '../support/visitor.js';

/** What a visitor has open. */
export type Shown = Pick<Visitor, 'answer' | 'path'>;

export interface Looks extends BrowserService {
  /** Shows an answer on a desk and on a phone: axe finds nothing, and it fits. */
  look(t: Test, shown: Shown): Promise<void>;
}

const screens: { width: number; colorScheme: 'light' | 'dark'; rules?: string[] }[] = [
  { width: 1280, colorScheme: 'light' },
  // What differs here by more than the layout are the colours.
  { width: 390, colorScheme: 'dark', rules: ['color-contrast', 'target-size'] },
];

/** A service whose pages are looked at two at a time, without scripts; null without a browser. */
export async function startLooks(
  t: Test,
  environment: Record<string, string>,
): Promise<Looks | null> {
  const service = await startService(t, { ...generous, ...environment }, { browser: true });
  if (service === null) return null;
  t.jobs = 2;
  return {
    ...service,
    async look(t, { answer, path }) {
      const page = await openPage(t, service);
      await page.route('**/*.js', (route) => route.abort());
      const address = `${service.url}${path}`;
      const headers = { ...(answer.headers as Record<string, string>) };
      await page.route(address, (route) =>
        route.fulfill({ status: answer.statusCode, headers, body: answer.body }),
      );
      await page.goto(address);
      await page.evaluate(() => {
        document.querySelectorAll('details').forEach((each) => (each.open = true));
      });
      for (const { width, colorScheme, rules } of screens) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        t.strictSame(await accessibilityViolations(page, rules), [], `axe on ${path}`);
        await expectFits(t, page);
      }
    },
  };
}
