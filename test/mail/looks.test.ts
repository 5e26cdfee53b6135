import t from 'tap';
import { renderMail } from '../../src/mail/render.js';
import { readPalette } from '../../src/mail/templates/style.js';
import { launchBrowser } from '../support/browser.js';
import { plainWords, pseudoLanguage } from '../support/languages.js';
import { mailFacts, mailNames } from '../support/mails.js';
import { accessibilityViolations, expectTranslated, openPage } from '../support/pages.js';

/** Together they have every part that any mail has. */
const looks = [
  'person-move-by-studio',
  'person-cancellation-by-studio',
  'person-reminder',
  'person-code-to-confirm',
  'studio-conflict',
  'studio-calendar-failure',
];

void t.test('a mail can be read by everybody, light or dark, on a phone and a desk', async (t) => {
  const browser = await launchBrowser(t);
  if (browser === null) return;
  const page = await openPage(t, { browser });
  const long = 'W'.repeat(120);
  for (const name of looks) {
    const booking = { name: long, idea: `${long}\nשלום`, pronouns: long.slice(0, 40) };
    const calendar = { label: long.slice(0, 60) };
    const { html } = await renderMail(mailFacts(name, { booking, calendar }));
    await page.setContent(html);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      t.equal(paper, rgb(readPalette()[colorScheme].paper), 'the paper of the pages');
      for (const width of [600, 390]) {
        await page.setViewportSize({ width, height: 800 });
        const scrolled = await page.evaluate(() => document.documentElement.scrollWidth);
        t.equal(scrolled, width, `${name} fits ${width} px`);
      }
      const rules = colorScheme === 'light' ? undefined : ['color-contrast'];
      t.strictSame(await accessibilityViolations(page, rules), [], `${name}, ${colorScheme}`);
    }
  }

  // As mail programs that remove stylesheets show it: with its colours, in one column.
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1000, height: 800 });
  for (const name of ['person-confirmation', 'studio-move']) {
    const { html } = await renderMail(mailFacts(name));
    await page.setContent(html.replace(/<style>.*?<\/style>/gs, ''));
    t.strictSame(await accessibilityViolations(page), [], `${name} without its stylesheet`);
    const box = await page.locator('main').boundingBox();
    t.ok(box !== null && box.width <= 600, `${name} is one column`);
  }
});

void t.test('each mail to the person can be read in a language of longer words', async (t) => {
  const browser = await launchBrowser(t);
  if (browser === null) return;
  const page = await openPage(t, { browser });
  const language = pseudoLanguage();
  const booking = { idea: 'Mara', cancellation_reason: 'Jon', studio_word: 'Ben' };
  for (const name of mailNames.filter((each) => each.startsWith('person'))) {
    const { html, subject, text, calendar } = await renderMail(
      mailFacts(name, { booking }),
      language,
    );
    await page.setContent(html);
    await expectTranslated(t, page, name);
    const said = /^DESCRIPTION:(.*)/m.exec(calendar?.content.replaceAll('\r\n ', '') ?? '')?.[1];
    t.strictSame(plainWords([subject, text, said?.replaceAll('\\n', '\n')].join('\n')), [], name);
  }
});

function rgb(hex: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  return `rgb(${red}, ${green}, ${blue})`;
}
