import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { load } from 'cheerio';
import { sql } from 'kysely';
import type { BrowserContextOptions, Frame, Page } from 'playwright-core';
import type { Test } from 'tap';
import type { Slot } from '../../src/schedule/slots.js';
import { patienceMs } from './browser.js';
import { plainWords } from './languages.js';
import { projectRoot } from './project.js';
import { generous, startService, type BrowserService, type TestService } from './service.js';

const axeSource = readFileSync(join(projectRoot, 'node_modules/axe-core/axe.min.js'), 'utf8');

type AxeResults = Awaited<ReturnType<AxeBuilder['analyze']>>;
type RunOptions = Parameters<AxeBuilder['options']>[0];
interface Axe {
  run(context: Document, options: RunOptions): Promise<AxeResults>;
}

/** A page of a fresh browser profile, which fails the test when anything in it fails. */
export async function openPage(
  t: Test,
  { browser }: Pick<BrowserService, 'browser'>,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ ...options });
  t.teardown(() => context.close());
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  page.on('pageerror', (error) => t.fail(`a script failed: ${error.message}`));
  page.on('dialog', (dialog) => t.fail(`a dialog appeared: ${dialog.message()}`));
  page.on('console', (message) => {
    if (/Content Security Policy|violates/i.test(message.text())) t.fail(message.text());
  });
  return page;
}

/**
 * Starts one service and one browser for the tests of a file. Returns a function that declares a test,
 * which gets a page of a fresh profile; without a browser, it is skipped.
 */
export async function browserTests(t: Test, environment: Record<string, string> = {}) {
  const service = await startService(t, { ...generous, ...environment }, { browser: true });
  return (
    title: string,
    run: (t: Test, page: Page, service: BrowserService) => Promise<void>,
    options?: BrowserContextOptions,
  ): void => {
    void t.test(title, { skip: service === null }, async (t) => {
      if (service === null) return;
      await run(t, await openPage(t, service, options), service);
    });
  };
}

/** A phone, in the dark. */
export const phone = {
  viewport: { width: 390, height: 844 },
  colorScheme: 'dark',
} as const satisfies BrowserContextOptions;

/** The address that asks whether to move a booking to a slot. */
export function moveUrl(checkoutUrl: string, { date, timeSlot }: Slot): string {
  return `${checkoutUrl}/move?${new URLSearchParams({ date, time_slot: timeSlot }).toString()}`;
}

/** Makes a hold that many seconds older, as if it had been placed so much earlier. */
export async function age(
  { context }: Pick<TestService, 'context'>,
  id: string,
  seconds: number,
): Promise<void> {
  const by = sql`make_interval(secs => ${seconds})`;
  await sql`
    update bookings set created_at = created_at - ${by}, expires_at = expires_at - ${by}
    where id = ${id}`.execute(context.database);
  await context.board.refresh();
}

/** Presses Tab until the element, of the page or a frame, has a visible focus. Resolves with the presses. */
export async function tabTo(
  page: Page,
  selector: string,
  view: Page | Frame = page,
): Promise<number> {
  for (let presses = 1; presses <= 200; presses += 1) {
    await page.keyboard.press('Tab');
    const reached = await view.evaluate((wanted) => {
      const focused = document.activeElement;
      if (!focused?.matches(wanted)) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(focused);
      if (outlineStyle === 'none' || parseFloat(outlineWidth) < 2)
        throw new Error('the focus is invisible');
      return true;
    }, selector);
    if (reached) return presses;
  }
  throw new Error(`Tab does not reach ${selector}`);
}

/** Fails the test if the page scrolls sideways. */
export async function expectFits(t: Test, page: Page): Promise<void> {
  const fits = await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
  t.ok(fits, `${page.url()} is no wider than the screen`);
}

/**
 * What axe finds wrong with the page, as text for a message; empty when nothing. `rules`: all unless
 * given.
 */
export async function accessibilityViolations(page: Page, rules?: string[]): Promise<string[]> {
  // A colour on its way to another is not one that a person reads.
  for (const frame of page.frames()) {
    await frame.evaluate(() => document.getAnimations().forEach((each) => each.finish()));
  }
  // Details of what it finds right are large.
  const options: RunOptions = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const { violations } =
    page.frames().length > 1
      ? await new AxeBuilder({ page, axeSource }).options(options).analyze()
      : await analyzeFrame(page, options);
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html).join(' ')}`,
  );
}

/** AxeBuilder would load axe twice for each analysis, which takes longer than the analysis. */
async function analyzeFrame(page: Page, options: RunOptions): Promise<AxeResults> {
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axeSource);
  return page.evaluate(
    (given) => (window as unknown as { axe: Axe }).axe.run(document, given),
    options,
  );
}

const desk = { width: 1280, height: 800 };

/**
 * Fails the test if axe finds anything wrong with the page, or with its colours in the dark, or if it
 * scrolls sideways on a phone or at a desk. The title must contain the one heading, and large text be
 * readable.
 */
export async function expectGoodLook(t: Test, page: Page, state: string): Promise<void> {
  await page.setViewportSize(phone.viewport);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectFits(t, page);
  t.strictSame(
    await accessibilityViolations(page, ['color-contrast']),
    [],
    `${state}, in the dark`,
  );
  await page.setViewportSize(desk);
  await page.emulateMedia({ colorScheme: 'light' });
  await expectFits(t, page);
  t.strictSame(await accessibilityViolations(page), [], state);
  const headings = await page.locator('h1').allInnerTexts();
  t.equal(headings.length, 1, state);
  t.match(await page.title(), headings[0], state);
  await expectReadable(t, page, state);
}

/**
 * Fails the test if, on a phone, a page or mail in the pseudo-language scrolls sideways, axe finds anything
 * wrong with it, or it has words that are not translated.
 */
export async function expectTranslated(t: Test, page: Page, state: string): Promise<void> {
  await page.evaluate(() =>
    document.querySelectorAll('details').forEach((each) => (each.open = true)),
  );
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 800 });
    const needed = await page.evaluate(() => document.documentElement.scrollWidth);
    t.equal(needed, width, `${state} fits ${width} px`);
  }
  t.strictSame(await accessibilityViolations(page), [], state);
  t.strictSame(plainWords(await page.evaluate(readTexts)), [], `${state}: all is translated`);
}

/** Runs in the page: all that is read or heard, seen or not. */
function readTexts(): string {
  const texts: (string | null)[] = [];
  const nodes = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    if (!node.parentElement?.closest('script, style, noscript')) texts.push(node.textContent);
  }
  for (const name of ['title', 'alt', 'aria-label', 'placeholder', 'content']) {
    const selector = name === 'content' ? 'meta[name=description]' : `[${name}]`;
    document.querySelectorAll(selector).forEach((each) => texts.push(each.getAttribute(name)));
  }
  return texts.join('\n');
}

/** A narrow phone, large text on phones as their settings offer it, and a tablet. */
const screens = [
  { width: 320, text: 100 },
  { width: 360, text: 130 },
  { width: 390, text: 200 },
  { width: 768, text: 100 },
];

/**
 * Fails the test if, on one of the screens, the page scrolls sideways, a word that is not long is
 * broken in two, or one leaves its box.
 */
export async function expectReadable(t: Test, page: Page, state: string): Promise<void> {
  const viewport = page.viewportSize();
  for (const { width, text } of screens) {
    await page.setViewportSize({ width, height: 800 });
    t.strictSame(
      await page.evaluate(findUnreadable, text),
      [],
      `${state}: ${text} % on ${width} px`,
    );
  }
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
  if (viewport !== null) await page.setViewportSize(viewport);
}

/** Runs in the page. */
async function findUnreadable(percent: number): Promise<string[]> {
  await document.fonts.ready;
  const root = document.documentElement;
  root.style.fontSize = `${percent}%`;
  const found = new Set<string>();
  if (root.scrollWidth > window.innerWidth) found.add(`${root.scrollWidth} px wide`);
  const range = document.createRange();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    let box = text.parentElement!;
    if (box.closest('script, textarea, select') || !box.checkVisibility()) continue;
    while (/^(inline|contents|ruby)$/.test(getComputedStyle(box).display)) box = box.parentElement!;
    if (getComputedStyle(box).clipPath !== 'none') continue;
    const edge = box.getBoundingClientRect().right + 1;
    // `1:00 PM` is one word.
    for (const word of text.textContent!.matchAll(/[^\s-]+(?:\u00a0[AP]M)?/gu)) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const parts = [...range.getClientRects()].filter((part) => part.width > 0);
      const [first] = parts;
      if (first === undefined) continue;
      const where = `${word[0]} in ${box.tagName} ${box.className} ${box.parentElement?.className}`;
      const lines = parts.filter((part) => part.top - first.top > first.height / 2);
      if (word[0].length <= 12 && lines.length > 0) found.add(`broken: ${where}`);
      if (parts.some((part) => part.right > edge)) found.add(`outside: ${where}`);
    }
  }
  return [...found];
}

/** The buttons of a page that are not described by the one sentence that says whose they are. */
export function undescribedButtons(html: string): string[] {
  const $ = load(html);
  const described = $('#who-acts').length === 1 ? '[aria-describedby=who-acts]' : 'none';
  const others = $('button[name=action]').not(described);
  return others.map((_, button) => $(button).text()).get();
}
