import type { Request } from 'playwright-core';
import t from 'tap';
import { cancelByStudio } from '../../src/domain/cancellation.js';
import { startConsole } from '../support/console.js';
import { addPerson } from '../support/console-bookings.js';
import { someOpenSlots } from '../support/requests.js';

t.test('a page that is refused is fetched once for an event, not again and again', async (t) => {
  const started = await startConsole(t);
  if (started === null) return;
  const { pages, page } = started;
  const { context } = pages.service;
  const [slot] = await someOpenSlots(context, 1);
  const { id } = await addPerson(pages, slot!);
  await cancelByStudio(context, 'test', id);
  const address = `${pages.url}/console/bookings/${id}/move`;
  // The page that is still open may be refreshing itself.
  const isRefresh = (request: Request) =>
    request.url() === address && request.resourceType() === 'fetch';
  let fetched = 0;
  page.on('request', (request) => {
    if (isRefresh(request)) fetched += 1;
  });
  // A stream of one event, which is not opened again.
  const body = 'retry: 3600000\nevent: availability\ndata: {}\n\n';
  await page.route('**/api/public/events', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body }),
  );
  await page.clock.install();
  const refresh = page.waitForResponse((response) => isRefresh(response.request()));
  const answer = await page.goto(address);
  t.equal(answer?.status(), 409);
  t.equal((await refresh).status(), 409);
  for (let pauses = 0; pauses < 5; pauses += 1) {
    await page.clock.runFor(3_100);
    await page.evaluate(() => fetch('/healthz').then(({ status }) => status));
  }
  t.equal(fetched, 1);
});

t.test('the title of a page says first what was done, or why nothing was', async (t) => {
  const started = await startConsole(t);
  if (started === null) return;
  const { pages, page } = started;
  const [slot] = await someOpenSlots(pages.service.context, 1);
  const { id } = await addPerson(pages, slot!, { name: 'Cora' });
  const path = `${pages.url}/console/bookings/${id}`;
  await page.goto(path);
  t.match(await page.title(), /^Cora – /);
  const cancel = async (reason: string) => {
    await page.getByText('Cancel…').click();
    await page.locator('#reason').fill(reason);
    const button = page.getByRole('button', { name: 'Cancel this booking' });
    await Promise.all([page.waitForEvent('load'), button.click()]);
  };
  await cancel('x'.repeat(501));
  t.match(await page.title(), /^The reason can have at most 500 characters.* – Cora – /);
  await page.goto(path);
  await cancel('');
  t.match(await page.title(), /^Cancelled. The slot is free again. – Cora – /);
});
