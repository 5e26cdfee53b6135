import type { Locator, Page } from 'playwright-core';

export interface Presses {
  /** Presses a link, a button or a summary. */
  press(target: Locator): Promise<void>;
  count(): number;
}

/** Counts what is pressed from `/console` on. */
export async function pressesFrom(page: Page, url: string): Promise<Presses> {
  await page.goto(`${url}/console`);
  let count = 0;
  return {
    async press(target) {
      count += 1;
      await target.click();
    },
    count: () => count,
  };
}

/** A link of the console's navigation. */
export function section(page: Page, name: string): Locator {
  return page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name, exact: true });
}
