import t from 'tap';
import { launchBrowser, patienceMs } from '../support/browser.js';
import { freePort } from '../support/process.js';
import { generous, startTestService } from '../support/service.js';

void t.test(
  'the reference shows the guide and the operations without requests to other hosts',
  async (t) => {
    const browser = await launchBrowser(t);
    if (browser === null) return;
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    await startTestService(t, { ...generous, PUBLIC_BASE_URL: url, PORT: String(port) });
    const page = await browser.newPage();
    page.setDefaultTimeout(patienceMs);
    const requests: string[] = [];
    const violations: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) violations.push(message.text());
    });
    await page.goto(`${url}/docs`);
    await page.getByRole('heading', { name: 'The rules' }).waitFor();
    await page.getByText('Never complete checkout.').waitFor();
    await page.getByRole('heading', { name: 'MCP' }).first().waitFor();
    await page.getByText('List open session times').first().waitFor();

    const foreign = requests.filter((each) => !/^(data|blob):/.test(each) && !each.startsWith(url));
    t.ok(requests.length >= 3, 'it loads the page, its script and the document');
    t.strictSame(foreign, []);
    t.strictSame(violations, []);
  },
);

void t.test('the reference works with a malformed Host header', async (t) => {
  const { app } = await startTestService(t);
  for (const host of ['[', 'a b', '']) {
    const headers = { host };
    t.equal((await app.inject({ url: '/docs/', headers })).statusCode, 200, host);
    const { statusCode, headers: answered } = await app.inject({ url: '/docs', headers });
    t.match({ statusCode, location: answered.location }, { statusCode: 301, location: '/docs/' });
  }
});
