import t from 'tap';
import { slotOf } from '../../src/schedule/slots.js';
import { sessionOf } from '../../src/schedule/times.js';
import { sessionWords } from '../../src/schedule/words.js';
import { linkToBook } from '../../src/web/book-link.js';
import { bookingRow } from '../support/bookings.js';
import { moveCheckout, releaseCheckout } from '../support/checkouts.js';
import { ageCodes, codeMode, newestCode, wrongDigits } from '../support/codes.js';
import { holdForPerson, sessionForPerson } from '../support/holds.js';
import { browserTests, expectFits, tabTo } from '../support/pages.js';
import { everyOpenSlot, someOpenSlots } from '../support/requests.js';

const browserTest = await browserTests(t);

browserTest(
  'on a phone, a person taps or uses a keyboard, whose focus is visible, and everything fits',
  async (t, page, pages) => {
    const { context } = pages;
    const { id, url } = await holdForPerson(pages);
    await page.goto(url);
    await expectFits(t, page);
    const button = page.locator('button[value=confirm]');
    const { x, y, width, height } = (await button.boundingBox())!;
    t.ok(x >= 0 && y + height <= 740, `confirming needs no scrolling: ${y + height}`);
    t.ok(height >= 44 && width >= 44, 'the button is large enough to tap');
    await button.tap();
    await page.waitForSelector('body.confirmed');
    await expectFits(t, page);

    const download = page.waitForEvent('download');
    await tabTo(page, 'a[href$="calendar.ics"]');
    await page.keyboard.press('Enter');
    t.equal((await download).suggestedFilename(), 'session.ics');
    await tabTo(page, 'summary');
    await page.keyboard.press('Enter');
    await expectFits(t, page);
    await tabTo(page, 'button[value=cancel]');
    await page.keyboard.press('Space');
    await page.waitForSelector('body.cancelled');
    await expectFits(t, page);
    t.equal((await bookingRow(context, id)).status, 'cancelled');

    const second = await holdForPerson(pages);
    await page.goto(second.url);
    const toMove = ['a[href$="/move"]', '.open-times nav a', 'a.time', 'button[value=move]'];
    for (const wanted of toMove) {
      await tabTo(page, wanted);
      const loaded = page.waitForEvent('load');
      await page.keyboard.press('Enter');
      await loaded;
    }
    t.notSame(slotOf(await bookingRow(context, second.id)), second.slot, 'it has moved');
    await tabTo(page, 'button[value=confirm]');
    await tabTo(page, 'button[value=release]');
    await page.keyboard.press('Enter');
    await page.waitForSelector('body.cancelled');
    t.equal((await bookingRow(context, second.id)).status, 'cancelled');
  },
  { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
);

const codeTest = await browserTests(t, codeMode);

codeTest(
  'on a small phone, a person confirms with a code, moves in four presses, and cancels in three',
  async (t, page, pages) => {
    const { context } = pages;
    const { id, url, slot } = await holdForPerson(pages);
    const press = async (...selectors: string[]) => {
      for (const selector of selectors) await page.locator(selector).first().tap();
    };
    /** The field is the first thing on its page, which says what is not done yet. */
    const expectField = async (purpose: string, notYet: string) => {
      await page.waitForSelector('.code-page #code:focus');
      t.equal(await page.locator('h1').innerText(), `Type the code ${purpose}`);
      t.match(await page.locator('.lead').innerText(), notYet);
      const { y, height } = (await page.locator('#code').boundingBox())!;
      t.ok(y + height < 500, `the field lies at ${y}`);
      await expectFits(t, page);
    };
    await page.goto(url);
    await press('button[value=send_code]');
    await expectField('to confirm your session', 'not confirmed yet');
    t.ok(await page.getByText('Held for you for 15 more minutes').isVisible());
    // A phone fills in all digits at once.
    await page.keyboard.insertText(await newestCode(pages, id));
    await page.waitForSelector('body.confirmed');
    await page.goBack();
    await page.waitForSelector('body.confirmed');
    await page.goForward();

    await ageCodes(pages, id, 901);
    await page.goto(url);
    await press('a[href$="/move"]', 'a.time', 'button[value=send_code]');
    await expectField('to move your session', 'not moved yet');
    const from = sessionWords(sessionOf(await bookingRow(context, id)));
    t.match(await page.locator('main').innerText(), `moves from ${from}`);
    await page.keyboard.type(await newestCode(pages, id));
    await press('button[value=move]');
    await page.waitForSelector('body.confirmed');
    t.notSame(slotOf(await bookingRow(context, id)), slot);

    await ageCodes(pages, id, 901);
    await page.goto(url);
    await press('summary', 'button[value=send_code]');
    await expectField('to cancel your session', 'not cancelled yet');
    const code = await newestCode(pages, id);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.method()));
    await page.keyboard.insertText(wrongDigits(code));
    await page.keyboard.press('Enter');
    await page.getByText('You can type it 2 more times').waitFor();
    await expectField('to cancel your session', 'not cancelled yet');
    t.equal(sent.filter((method) => method === 'POST').length, 1, 'it is sent once');
    t.match(await bookingRow(context, id), { status: 'confirmed' });
    await page.keyboard.type(code);
    await press('button[value=cancel]');
    await page.waitForSelector('body.cancelled');
    t.match(await bookingRow(context, id), { status: 'cancelled' });
  },
  { viewport: { width: 390, height: 664 }, isMobile: true, hasTouch: true },
);

browserTest('a tab left open shows a move and a release elsewhere', async (t, page, pages) => {
  const { context } = pages;
  const { token, url } = await holdForPerson(pages);
  const wanted = (await everyOpenSlot(context)).at(-1)!;
  const show = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await page.goto(url);
  await moveCheckout(context, token, wanted, 0);
  await show();
  await page.waitForSelector(`time.when[datetime^="${wanted.date}"]`);
  await releaseCheckout(context, token, 'pending');
  await show();
  await page.waitForSelector('body.cancelled');
  t.equal(page.url(), url);
});

browserTest('the confirmed page prints the session without buttons', async (t, page, pages) => {
  const { url } = await sessionForPerson(pages);
  await page.goto(url);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  t.equal(paper, 'rgb(255, 255, 255)');
  t.ok(await page.locator('.when').isVisible());
  t.ok(await page.getByText('You must be 18 or older').isVisible());
  for (const selector of ['form', 'a[href$="calendar.ics"]', 'details']) {
    t.notOk(await page.locator(selector).first().isVisible(), `${selector} is not printed`);
  }
});

browserTest('each page loads under 50 kB in three requests', async (t, page, pages) => {
  const { url: checkout } = await holdForPerson(pages);
  const [slot] = await someOpenSlots(pages.context, 1);
  for (const url of [`${pages.url}/book`, `${pages.url}${linkToBook(slot)}`, checkout]) {
    const context = await pages.browser.newContext();
    const page = await context.newPage();
    const network = await context.newCDPSession(page);
    await network.send('Network.enable');
    const requests: string[] = [];
    let bytes = 0;
    const inline = new Set<string>();
    network.on('Network.requestWillBeSent', ({ request, requestId }) => {
      if (request.url.startsWith('data:')) inline.add(requestId);
      else requests.push(request.url);
    });
    network.on('Network.loadingFinished', ({ encodedDataLength, requestId }) => {
      if (!inline.has(requestId)) bytes += encodedDataLength;
    });
    await page.goto(url, { waitUntil: 'networkidle' });
    t.equal(requests.length, 3, requests.join(' '));
    t.ok(requests.every((each) => each.startsWith(`${pages.url}/`)));
    t.ok(bytes > 1_000 && bytes < 50_000, `${bytes} bytes`);
    await context.close();
  }
});
