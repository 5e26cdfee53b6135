import type { Page } from 'playwright-core';
import t from 'tap';
import { holdForPerson, sessionForPerson } from '../support/holds.js';
import { browserTests, expectFits, expectGoodLook } from '../support/pages.js';

const browserTest = await browserTests(t);

/** The elements whose text is wider than they are. */
function cutTexts(page: Page): Promise<string[]> {
  return page
    .locator('.slots .slot:visible, h3:visible, .next-open, .changes li')
    .evaluateAll((all) =>
      all.filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.outerHTML),
    );
}

browserTest('it looks good, live or stale, on any screen', async (t, page, pages) => {
  await sessionForPerson(pages);
  await holdForPerson(pages);
  await page.goto(pages.url);
  await page.waitForSelector('.counting');
  await expectGoodLook(t, page, 'live');
  await page.evaluate(() => document.body.classList.add('stale'));
  await expectGoodLook(t, page, 'stale');
  for (const width of [320, 390, 768, 1024, 1247, 1248, 1440, 1855, 1856, 1920, 2560, 3840]) {
    await page.setViewportSize({ width, height: Math.round((width * 9) / 16) });
    t.strictSame(await cutTexts(page), [], `${width} pixels`);
    await expectFits(t, page);
    if (width !== 1920) continue;
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    t.ok(height <= 1080, 'a wall screen shows everything at once');
  }
  await page.emulateMedia({ forcedColors: 'active' });
  const background = (selector: string) =>
    page.locator(selector).evaluate((each) => getComputedStyle(each).backgroundColor);
  const isFilled = (await background('.legend .taken .phase')) !== (await background('body'));
  t.ok(isFilled, 'forced colors tell taken from open');
});
