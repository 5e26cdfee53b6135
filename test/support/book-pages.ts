import type { Page } from 'playwright-core';
import type { Context } from '../../src/context.js';
import type { BookingRow } from '../../src/database/rows/schema.js';
import type { Slot } from '../../src/schedule/slots.js';
import { linkToBook } from '../../src/web/book-link.js';

/** What a person types into the form, by the names of its fields. */
export const ada = {
  name: 'Ada Park',
  email: 'ada@example.com',
  phone: '5555550142',
  pronouns: '',
  idea: '',
};

export const holdButton = 'button[value=hold]';

export async function openForm(page: Page, url: string, slot: Slot): Promise<void> {
  await page.goto(`${url}${linkToBook(slot)}`);
}

export async function fillForm(
  page: Pick<Page, 'fill'>,
  changes: Partial<typeof ada> = {},
): Promise<void> {
  for (const [name, text] of Object.entries({ ...ada, ...changes })) {
    await page.fill(`[name=${name}]`, text);
  }
}

/** Presses a button that sends a form, and resolves when the answer is loaded. */
export async function pressAndWait(page: Page, button: string): Promise<void> {
  const loaded = page.waitForEvent('load');
  await page.click(button);
  await loaded;
}

/** Fills in and sends the form of a slot. Resolves with the address of the checkout page. */
export async function holdInBrowser(
  page: Page,
  url: string,
  slot: Slot,
  changes: Partial<typeof ada> = {},
): Promise<string> {
  await openForm(page, url, slot);
  await fillForm(page, changes);
  await page.click(holdButton);
  await page.waitForSelector('body.pending');
  return page.url();
}

/** All bookings, oldest first. */
export async function everyBooking({ database }: Pick<Context, 'database'>): Promise<BookingRow[]> {
  return database.selectFrom('bookings').selectAll().orderBy('created_at').execute();
}
