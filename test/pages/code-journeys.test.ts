import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { codeInMailbox, wrongDigits } from '../support/codes.js';
import { mailFrom } from '../support/mail-service.js';
import { accessibilityViolations, holdForPerson, openPage, startPages } from '../support/pages.js';
import { personNumber } from '../support/requests.js';
import { startSmtp } from '../support/smtp.js';

/** By hand: TEST_CODE_AGENTS=1000. */
const agents = Number(process.env['TEST_CODE_AGENTS'] ?? 50);

/** What the page says after each try of a code. */
const answers = [
  'You can type it 2 more times',
  'You can type it once more',
  'it cannot be typed again',
];

/** Where pictures of the pages go; none without it. */
const pictures = process.env['TEST_PICTURES'];

async function start(t: Test, confirmation: 'link' | 'code') {
  const smtp = await startSmtp(t, { tls: 'none' });
  const pages = await startPages(t, {
    CONFIRMATION: confirmation,
    SMTP_URL: smtp.url,
    MAIL_FROM: mailFrom,
    // So that each agent has an address of its own, and its own budget of pages.
    TRUST_PROXY: '127.0.0.1/32',
  });
  if (pages === null) return null;
  await pages.service.startBackground();
  const status = async (id: string) => {
    const { database } = pages.service.context;
    const query = database.selectFrom('bookings').select(['status', 'confirmed_via', 'sequence']);
    return query.where('id', '=', id).executeTakeFirstOrThrow();
  };
  return { smtp, pages, status };
}

async function picture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
}

for (const javaScriptEnabled of [true, false]) {
  void t.test(
    `a person ${javaScriptEnabled ? 'with' : 'without'} script confirms with a code within 20 seconds, and cancels without another`,
    async (t) => {
      const started = await start(t, 'code');
      if (started === null) return;
      const { smtp, pages, status } = started;
      const held = await holdForPerson(pages);
      const page = await openPage(t, pages, {
        javaScriptEnabled,
        colorScheme: javaScriptEnabled ? 'light' : 'dark',
        viewport: { width: 390, height: 844 },
      });
      const theme = javaScriptEnabled ? 'light' : 'dark';
      const check = async (name: string) => {
        await picture(page, `${name}-${theme}`);
        if (javaScriptEnabled) t.strictSame(await accessibilityViolations(page), [], name);
        const width = await page.evaluate('document.documentElement.scrollWidth');
        t.equal(width, 390, `${name} fits`);
      };
      await page.goto(held.url);
      await check('ask');
      const beganAt = performance.now();
      await page.getByRole('button', { name: 'Send me the code' }).click();
      const code = await codeInMailbox(smtp, 'ada@example.com');
      await check('enter');
      await page.getByLabel('The six digits').fill(wrongDigits(code));
      await page.getByRole('button', { name: 'Confirm my session' }).click();
      await page.getByText('You can type it 2 more times').waitFor();
      await check('wrong');
      await page.getByLabel('The six digits').fill(`${code.slice(0, 3)} ${code.slice(3)}`);
      await page.getByRole('button', { name: 'Confirm my session' }).click();
      await page.getByRole('heading', { name: 'Your session is confirmed' }).waitFor();
      const tookMs = Math.round(performance.now() - beganAt);
      t.ok(tookMs <= 20_000, `the code, and a wrong one first, took ${tookMs} ms`);
      t.match(await status(held.id), { status: 'confirmed', confirmed_via: 'code' });

      await page.getByText('I cannot come').click();
      await page.getByRole('button', { name: 'Cancel my session' }).click();
      await page.getByRole('heading', { name: 'This session is cancelled' }).waitFor();
    },
  );
}

void t.test('in another browser, cancelling and moving a session take a code', async (t) => {
  const started = await start(t, 'link');
  if (started === null) return;
  const { smtp, pages, status } = started;
  const held = await holdForPerson(pages, personNumber(3));
  const theirs = await openPage(t, pages, {
    colorScheme: 'dark',
    viewport: { width: 390, height: 844 },
  });
  await theirs.goto(held.url);
  await theirs.getByRole('button', { name: 'Confirm my session' }).click();
  await theirs.getByText('I cannot come').click();
  await picture(theirs, 'cancel-ask-dark');
  t.strictSame(await accessibilityViolations(theirs), []);
  await theirs.getByRole('link', { name: 'Move to another time' }).click();
  await theirs.locator('.open-times a[href*="time_slot"]').last().click();
  await theirs.getByRole('button', { name: 'Send me the code' }).click();
  const code = await codeInMailbox(smtp, 'person3@example.com');
  await picture(theirs, 'move-enter-dark');
  t.strictSame(await accessibilityViolations(theirs), []);
  await theirs.getByLabel('The six digits').fill(code);
  await theirs.keyboard.press('Enter');
  await theirs.getByText('It has been moved to this time').waitFor();
  t.match(await status(held.id), { status: 'confirmed', sequence: 2 });
  await theirs.goBack();
  await theirs.getByRole('heading', { name: 'Your session is confirmed' }).waitFor();
  t.match(await status(held.id), { sequence: 2 }, 'going back repeats nothing');
});

void t.test(
  `an agent with the hold, the link and a browser, but not the mailbox, confirms in 0 of ${agents} tries`,
  async (t) => {
    const started = await start(t, 'code');
    if (started === null) return;
    const { pages, status } = started;
    const context = await pages.browser.newContext();
    t.teardown(() => context.close());
    const page = await context.newPage();
    let confirmed = 0;
    let holds = 0;
    for (let index = 0; index < agents; holds += 1) {
      const held = await holdForPerson(pages, personNumber(1_000 + holds));
      const address = `10.9.${holds >> 8}.${holds & 255}`;
      await context.setExtraHTTPHeaders({ 'x-forwarded-for': address });
      await page.goto(held.url);
      await page.getByRole('button', { name: 'Send me the code' }).click();
      for (const answer of answers) {
        const digits = String((index * 104_729) % 1_000_000).padStart(6, '0');
        await page.getByLabel('The six digits').fill(digits);
        await page.getByRole('button', { name: 'Confirm my session' }).click();
        await page.getByText(answer).waitFor();
        index += 1;
      }
      if ((await status(held.id)).status !== 'pending') confirmed += 1;
      // As it would without the page.
      await page.request.post(held.url, {
        headers: { origin: pages.url },
        form: { action: 'confirm', code: '123456' },
      });
      if ((await status(held.id)).status !== 'pending') confirmed += 1;
      const release = { action: 'release' };
      await page.request.post(held.url, { headers: { origin: pages.url }, form: release });
    }
    t.equal(confirmed, 0);
    t.comment(`${agents} tries with ${holds} holds`);
  },
);
