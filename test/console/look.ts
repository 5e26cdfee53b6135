import type { Test } from 'tap';
import { accessibilityViolations, expectFits, expectReadable, openPage } from '../support/pages.js';
import type { BrowserService } from '../support/service.js';
import type { Visitor } from '../support/visitor.js';

const screens: { width: number; colorScheme: 'light' | 'dark'; rules?: string[] }[] = [
  { width: 1280, colorScheme: 'light' },
  // What differs here by more than the layout are the colours.
  { width: 390, colorScheme: 'dark', rules: ['color-contrast', 'target-size'] },
];

/** Shows an answer on a desk and on a phone, without scripts: axe finds nothing, and it fits. */
export async function look(
  t: Test,
  service: BrowserService,
  { answer, path }: Pick<Visitor, 'answer' | 'path'>,
): Promise<void> {
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
  await expectReadable(t, page, path);
}
