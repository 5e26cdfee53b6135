import t from 'tap';
import { launchBrowser, patienceMs } from '../support/browser.js';
import { connectClient } from '../support/mcp.js';
import { freePort } from '../support/process.js';
import { generous, startTestService } from '../support/service.js';

void t.test('a whole booking by tools alone, confirmed by a person in a browser', async (t) => {
  const browser = await launchBrowser(t);
  if (browser === null) return;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  await startTestService(t, { ...generous, PUBLIC_BASE_URL: url, PORT: String(port) });
  const agent = await connectClient(t, url);

  const studio = await agent.call('get_studio_info');
  const { timezone } = studio.structuredContent as { timezone: string };
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(new Date());
  const to = new Date(Date.parse(today) + 31 * 86_400_000).toISOString().slice(0, 10);
  const times = await agent.call('list_open_times', { from: today, to });
  const { days } = times.structuredContent as {
    days: { date: string; slots: { time_slot: string }[] }[];
  };
  const day = days.at(-1)!;
  const held = await agent.call('hold_slot', {
    date: day.date,
    time_slot: day.slots[0]!.time_slot,
    name: 'Ada Park',
    email: 'ada@example.com',
    phone: '5555550142',
    idempotency_key: 'ada-1',
  });
  const { id } = held.structuredContent as { id: string };
  const sentence = held.content[1]?.text ?? '';
  const status = async () =>
    (await agent.call('get_booking_status', { booking_id: id })).structuredContent?.['status'];
  t.equal(await status(), 'pending');

  const link = /https?:\S+$/u.exec(sentence)?.[0] ?? '';
  const page = await browser.newPage();
  page.setDefaultTimeout(patienceMs);
  await page.goto(link);
  t.equal(await status(), 'pending', 'opening the link changes nothing');
  await page.locator('button[value=confirm]').click();
  await page.waitForLoadState();
  t.match(await page.locator('h1').textContent(), /confirmed/i);
  t.equal(await status(), 'confirmed', 'get_booking_status tells');
});
