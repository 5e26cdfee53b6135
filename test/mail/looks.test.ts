import t from 'tap';
import { readPalette } from '../../src/mail/palette.js';
import { renderMail } from '../../src/mail/render.js';
import { launchBrowser } from '../support/browser.js';
import { mailFacts } from '../support/mails.js';
import { accessibilityViolations } from '../support/pages.js';

/** Together they have every part that any mail has. */
const looks = [
  'person-move-by-studio',
  'person-cancellation-by-studio',
  'person-reminder',
  'person-code-to-confirm',
  'studio-move',
  'studio-conflict',
  'studio-calendar-failure',
];

void t.test(
  'axe finds no violation in the mails, light or dark, on a phone and a desk',
  async (t) => {
    const browser = await launchBrowser(t);
    if (browser === null) return;
    const long = 'W'.repeat(120);
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ colorScheme });
      const page = await context.newPage();
      const requested: string[] = [];
      page.on('request', (request) => requested.push(request.url()));
      for (const width of [390, 600]) {
        await page.setViewportSize({ width, height: 800 });
        for (const name of looks) {
          const booking = { name: long, idea: `${long}\nשלום`, pronouns: long.slice(0, 40) };
          const { html } = await renderMail(
            mailFacts(name, { booking, calendar: { label: long.slice(0, 60) } }),
          );
          await page.setContent(html);
          t.strictSame(await accessibilityViolations(page), [], `${name} ${colorScheme} ${width}`);
          const scrolled = await page.evaluate(() => document.documentElement.scrollWidth);
          t.equal(scrolled, width, `${name} fits ${width} px`);
          const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
          t.equal(paper, rgb(readPalette()[colorScheme].paper), 'the paper of the pages');
        }
      }
      t.strictSame(requested, [], 'a mail loads nothing');
      await context.close();
    }
  },
);

void t.test('without its stylesheet, a mail keeps its colours and its column', async (t) => {
  const browser = await launchBrowser(t);
  if (browser === null) return;
  const context = await browser.newContext({ viewport: { width: 1000, height: 800 } });
  const page = await context.newPage();
  for (const name of ['person-confirmation', 'studio-move']) {
    const { html } = await renderMail(mailFacts(name));
    await page.setContent(html.replace(/<style>.*?<\/style>/gs, ''));
    t.strictSame(await accessibilityViolations(page), [], name);
    const box = await page.locator('main').boundingBox();
    t.ok(box !== null && box.width <= 600, `${name} is one column`);
  }
});

function rgb(hex: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  return `rgb(${red}, ${green}, ${blue})`;
}
