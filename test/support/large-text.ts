import type { Page } from 'playwright-core';
import type { Test } from 'tap';

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
