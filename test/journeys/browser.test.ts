import t from 'tap';
import { someOpenSlots, holdRequest } from '../support/requests.js';
import { launchBrowser, patienceMs } from '../support/browser.js';
import { freePort } from '../support/process.js';
import { generous, startTestService } from '../support/service.js';

void t.test(
  'a slot is found, held, handed off and confirmed by a person in a browser',
  async (t) => {
    const browser = await launchBrowser(t);
    if (browser === null) return;
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const { context } = await startTestService(t, {
      ...generous,
      PUBLIC_BASE_URL: url,
      PORT: String(port),
    });
    const [slot] = await someOpenSlots(context, 1);
    const held = await fetch(`${url}/api/public/holds`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(holdRequest(slot!)),
    });
    const { data } = (await held.json()) as {
      data: { checkout_url: string; handoff: { status_url: string } };
    };
    const status = async () => {
      const answer = await fetch(data.handoff.status_url);
      return ((await answer.json()) as { data: { status: string } }).data.status;
    };

    const page = await browser.newPage();
    page.setDefaultTimeout(patienceMs);
    await page.goto(data.checkout_url);
    t.equal(await status(), 'pending', 'opening the page changes nothing');
    await page.locator('button[value=confirm]').click();
    await page.waitForLoadState();
    t.match(await page.locator('h1').textContent(), /confirmed/i);
    t.equal(await status(), 'confirmed');
  },
);
