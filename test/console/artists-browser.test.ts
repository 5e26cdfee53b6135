import type { Locator } from 'playwright-core';
import t from 'tap';
import { addArtists } from '../support/artists.js';
import { addPerson, openConsole } from '../support/console.js';
import { everyOpenSlot, someOpenSlots } from '../support/requests.js';
import { type BrowserService, generous, startService } from '../support/service.js';

const service = await startService(t, generous, { browser: true });
if (service !== null) await testBrowser(service);

async function testBrowser(service: BrowserService): Promise<void> {
  const { context, url } = service;
  const [mara, jon] = await addArtists(context, 3);

  t.test('of several artists, only the column of the one who is booked changes', async (t) => {
    const [slot] = await someOpenSlots(context, 1);
    const page = await openConsole(t, service);
    await page.goto(`${url}/console?date=${slot!.date}`);
    await addPerson(service, { ...slot!, artistId: jon!.id }, { name: 'Ida' });
    const column = page.getByRole('region', { name: 'Jon' });
    await column.getByRole('link', { name: 'Ida', exact: true }).waitFor();
    t.match(await page.locator('#news').textContent(), `${slot!.timeSlot} with Jon: Ida`);
    t.equal(await page.locator('.slot.changed, .cell.changed').count(), 2);
  });

  t.test('the sick day of an artist with eight sessions takes five presses', async (t) => {
    const open = await everyOpenSlot(context, 30);
    const slots = open.slice(open.findIndex(({ timeSlot }) => timeSlot === '9:00 AM')).slice(0, 8);
    for (const slot of slots) await addPerson(service, { ...slot, artistId: mara!.id });
    const page = await openConsole(t, service);
    await page.goto(`${url}/console?date=${slots[0]!.date}`);
    const presses: [Locator, fill?: (field: Locator) => Promise<unknown>][] = [
      [page.locator('a[href*="job=sick"]').first()],
      [page.getByLabel('Last date'), (field) => field.fill(slots.at(-1)!.date)],
      [page.getByRole('button', { name: 'Show the bookings on these dates' })],
      [page.getByRole('button', { name: 'Move', exact: true })],
      [page.getByRole('button', { name: 'Close and do this' })],
    ];
    for (const [place, fill] of presses) {
      await place.click();
      await fill?.(place);
    }
    t.equal(presses.length, 5);
    const moved = page.locator('li', { hasText: /with Jon .* moved to this time$/ });
    await moved.nth(7).waitFor();
  });
}
