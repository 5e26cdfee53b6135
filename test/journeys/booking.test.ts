import t, { type Test } from 'tap';
import { launchBrowser, patienceMs } from '../support/browser.js';
import { connectClient } from '../support/mcp.js';
import { freePort } from '../support/process.js';
import { generous, startService } from '../support/service.js';

type Days = { date: string; slots: { time_slot: string }[] }[];

const browser = await launchBrowser(t);
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
await startService(t, { ...generous, PUBLIC_BASE_URL: url, PORT: String(port) });
const person = { name: 'Ada Park', email: 'ada@example.com', phone: '5555550142' };

/** The days that a caller may ask for at once, from today on. */
function month(timezone: string) {
  const from = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(new Date());
  return { from, to: new Date(Date.parse(from) + 31 * 86_400_000).toISOString().slice(0, 10) };
}

const lastOf = (days: Days) => {
  const { date, slots } = days.at(-1)!;
  return { date, time_slot: slots[0]!.time_slot };
};

/** Opens a checkout link and confirms, as its person does. */
async function confirm(t: Test, link: string, status: () => Promise<unknown>) {
  const page = await browser!.newPage();
  page.setDefaultTimeout(patienceMs);
  await page.goto(link);
  t.equal(await status(), 'pending', 'opening the link changes nothing');
  await page.locator('button[value=confirm]').click();
  await page.waitForLoadState();
  t.match(await page.locator('h1').textContent(), /confirmed/i);
  t.equal(await status(), 'confirmed');
  await page.close();
}

void t.test('a whole booking over REST, confirmed by a person in a browser', async (t) => {
  if (browser === null) return;
  const get = async (address: string) =>
    ((await (await fetch(address)).json()) as { data: Record<string, unknown> }).data;
  const { timezone } = await get(`${url}/api/public/studio`);
  const { from, to } = month(String(timezone));
  const { days } = await get(`${url}/api/public/availability?from=${from}&to=${to}`);
  const held = await fetch(`${url}/api/public/holds`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...person, ...lastOf(days as Days) }),
  });
  const { data } = (await held.json()) as {
    data: { checkout_url: string; handoff: { status_url: string } };
  };
  const status = async () => (await get(data.handoff.status_url))['status'];
  await confirm(t, data.checkout_url, status);
});

void t.test('a whole booking by tools alone, confirmed by a person in a browser', async (t) => {
  if (browser === null) return;
  const agent = await connectClient(t, url);
  const studio = await agent.call('get_studio_info');
  const { timezone } = studio.structuredContent as { timezone: string };
  const times = await agent.call('list_open_times', month(timezone));
  const { days } = times.structuredContent as { days: Days };
  const request = { ...person, ...lastOf(days), idempotency_key: 'ada-1' };
  const held = await agent.call('hold_slot', request);
  const { id } = held.structuredContent as { id: string };
  const status = async () =>
    (await agent.call('get_booking_status', { booking_id: id })).structuredContent?.['status'];
  const link = /https?:\S+$/u.exec(held.content[1]?.text ?? '')?.[0] ?? '';
  await confirm(t, link, status);
});
