import type { Frame } from 'playwright-core';
import t from 'tap';
import { openPage } from '../support/pages.js';
import {
  frameOf,
  openWebsite,
  scriptTag,
  embeddedTests,
  waitUntilFits,
  websitePage,
} from '../support/website.js';

const frameTest = await embeddedTests(t);

frameTest(
  'the frame is always as tall as its page, and never has a scrollbar',
  async (t, pages) => {
    const page = await openWebsite(t, pages);
    await page.evaluate(() => {
      Object.assign(window, { messageCount: 0 });
      addEventListener('message', () => ((window as unknown as Counting).messageCount += 1));
    });
    const frame = await frameOf(page);
    const element = await frame.frameElement();
    const height = async (): Promise<number> => (await element.boundingBox())!.height;
    t.match(await element.getAttribute('title'), 'Book a session');
    await waitUntilFits(frame);
    const narrow = await height();
    await page.setViewportSize({ width: 1280, height: 800 });
    await waitUntilFits(frame);
    t.ok((await height()) < narrow, 'shorter where there is more room');
    await frame.click('a.time');
    await frame.waitForSelector('form.person');
    await waitUntilFits(frame);
    const form = await height();
    const resize = (pixels: number) =>
      frame.$eval('textarea', (area, to) => (area.style.height = `${to}px`), pixels);
    await resize(2_000);
    await frame.waitForFunction((before) => innerHeight > before + 1_000, form);
    await waitUntilFits(frame);
    await resize(100);
    await frame.waitForFunction((before) => innerHeight < before + 1_000, form);
    await waitUntilFits(frame);
    const count = await page.evaluate(() => (window as unknown as Counting).messageCount);
    t.ok(count <= 20, `${count} messages: the heights settle`);
  },
);

interface Counting {
  messageCount: number;
}

frameTest('at any zoom, the frame has no scrollbar', async (t, pages) => {
  for (const deviceScaleFactor of [1.1, 1.25, 1.75]) {
    const page = await openWebsite(t, pages, { deviceScaleFactor });
    await waitUntilFits(await frameOf(page));
    await page.context().close();
  }
});

frameTest('the frame has the scheme of the website, and not its name again', async (t, pages) => {
  const { website } = pages;
  const themed = scriptTag(pages).replace('<script', '<script data-theme="dark"');
  website.show('/themed', () => ({ body: websitePage(themed) }));
  const page = await openWebsite(t, pages, { colorScheme: 'light' });
  const background = (frame: Frame) =>
    frame.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const [light, dark] = ['rgb(245, 241, 232)', 'rgb(13, 17, 22)'];
  const frame = await frameOf(page);
  t.equal(await background(frame), light, 'that of the browser');
  t.equal(await frame.locator('.masthead, .colophon').count(), 0);
  t.notMatch(await frame.locator('body').innerText(), 'Night Heron');
  await waitUntilFits(frame);
  await page.evaluate(() => (document.documentElement.dataset['theme'] = 'dark'));
  await frame.waitForSelector('[data-theme=dark]');
  t.equal(await background(frame), dark, 'it follows');
  await frame.click('a.time');
  await frame.waitForSelector('[data-theme=dark] form.person');
  t.equal(await background(frame), dark, 'on the next page, too');
  t.notMatch(await frame.locator('body').innerText(), 'Night Heron');

  await page.goto(`${website.origin}/themed`);
  t.equal(await background(await frameOf(page)), dark, 'as its script says');
});

frameTest('a new page in the frame is seen from its top, but not the first', async (t, pages) => {
  const { website } = pages;
  const tall = '<div style="height: 3000px">More of our website</div>';
  website.show('/tall', () => ({ body: websitePage(scriptTag(pages) + tall) }));
  const page = await openPage(t, pages, { viewport: { width: 390, height: 800 } });
  let scrolled = (): void => undefined;
  const onceScrolled = new Promise<void>((resolve) => (scrolled = resolve));
  await page.route('**/book?theme=auto', async (route) => {
    await onceScrolled;
    await route.continue();
  });
  await page.goto(`${website.origin}/tall`, { waitUntil: 'commit' });
  const element = await page.waitForSelector('iframe');
  const top = () => element.evaluate((frame) => frame.getBoundingClientRect().top);
  await page.evaluate(() => scrollTo(0, 400));
  scrolled();
  const frame = await frameOf(page);
  await waitUntilFits(frame);
  t.ok((await top()) < -100, 'a visitor who reads further down stays there');

  await frame.locator('a.time').last().click();
  await frame.waitForSelector('form.person');
  await waitUntilFits(frame);
  t.equal(Math.round(await top()), 0);

  await page.evaluate(() => scrollTo(0, 0));
  const before = await top();
  t.ok(before > 0);
  await frame.evaluate(() => document.querySelector<HTMLElement>('a.button')!.click());
  await frame.waitForSelector('.open-times');
  await waitUntilFits(frame);
  t.equal(await top(), before, 'what is in view stays where it is');
});

frameTest('the frame is sized by its own page alone, and by no absurd number', async (t, pages) => {
  const { website, url } = pages;
  const script = scriptTag(pages);
  website.show('/two', () => ({ body: websitePage(`${script}<div id="b">${script}</div>`) }));
  website.show('/stranger', () => ({
    body: '<script>parent.postMessage({ height: 77, isNewPage: true }, "*")</script>',
  }));
  const page = await openWebsite(t, pages, {}, '/two');
  const element = (await page.waitForSelector('iframe'))!;
  const frame = await frameOf(page);
  await waitUntilFits(frame);
  await page.locator('#b iframe').scrollIntoViewIfNeeded();
  const neighbour = await frameOf(page, 1);
  await waitUntilFits(neighbour);
  t.equal(await page.locator('#b iframe').count(), 1, 'each where its script stands');
  const right = (await element.boundingBox())!.height;

  /** Resolves with the height of the frame after the script has received a message. */
  async function heightAfter(send: () => Promise<unknown>): Promise<number> {
    await page.evaluate(() => {
      const received = new Promise((resolve) => addEventListener('message', resolve));
      Object.assign(window, { received });
    });
    await send();
    await page.evaluate(() => (window as unknown as { received: Promise<void> }).received);
    return (await element.boundingBox())!.height;
  }
  const post = (from: Frame, data: unknown) => () =>
    from.evaluate((message) => parent.postMessage(message, '*'), data);

  const message = { height: 77, isNewPage: true };
  t.equal(await heightAfter(post(page.mainFrame(), message)), right, 'of the website itself');
  t.equal(await heightAfter(post(neighbour, message)), right, 'of another frame of ours');
  const absurd = [-1, 0, 1e9, 1.5, '77', '77px', null, [], undefined].map((height) => ({
    height,
  }));
  for (const data of [...absurd, null, 'height', 77]) {
    t.equal(await heightAfter(post(frame, data)), right, JSON.stringify(data));
  }
  t.equal(await heightAfter(post(frame, message)), 77, 'of its own page');
  t.equal(await heightAfter(post(frame, { height: right })), right);
  const stranger = `${website.originAtService}/stranger`;
  const lead = () => element.evaluate((it, to) => ((it as HTMLIFrameElement).src = to), stranger);
  t.equal(await heightAfter(lead), right, 'of another origin in the same frame');
  t.not(new URL(stranger).origin, url);
});
