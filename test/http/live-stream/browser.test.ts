import t from 'tap';
import { launchBrowser, patienceMs } from '../../support/browser.js';
import { freePort } from '../../support/process.js';
import { startTestProxy } from '../../support/reverse-proxies.js';
import { generous, startAgain, startService } from '../../support/service.js';

t.test('a browser that comes while a process stops reaches the next one', async (t) => {
  const port = await freePort();
  const { context, app, url } = await startService(t, { ...generous, PORT: String(port) });
  const browser = await launchBrowser(t);
  if (browser === null) return;
  await context.liveStream.drain();
  const page = await browser.newPage();
  await page.goto(`${url}/book`);
  const refused = page.waitForEvent('requestfailed');
  const seen = page.evaluate(
    () =>
      new Promise((resolve) => {
        const viewer = new EventSource('/api/public/events');
        viewer.addEventListener('pulse', () => resolve('back'), { once: true });
        viewer.addEventListener('error', () => viewer.readyState === 2 && resolve('closed'));
      }),
  );
  await refused;
  await app.close();
  await startAgain(t, context, port);
  t.equal(await seen, 'back');
});

t.test('a browser follows behind a proxy that would hold back', async (t) => {
  const service = await startService(t);
  service.expectLog(/X-Forwarded-For/);
  const url = await startTestProxy(t, { target: service.url });
  const browser = await launchBrowser(t);
  if (browser === null) return;
  const page = await browser.newPage();
  page.setDefaultTimeout(patienceMs);
  await page.goto(`${url}/`);
  const seen = await page.evaluate(
    () =>
      new Promise((resolve) =>
        new EventSource('/api/public/events').addEventListener('pulse', () => resolve('pulse'), {
          once: true,
        }),
      ),
  );
  t.equal(seen, 'pulse');
});
