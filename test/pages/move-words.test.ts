import t, { type Test } from 'tap';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { moveByStudio } from '../../src/domain/studio-bookings.js';
import { changeStudio } from '../../src/domain/studio-settings.js';
import { bookingRow } from '../support/bookings.js';
import { pressMove } from '../support/moves.js';
import { holdForPerson, moveUrl } from '../support/pages.js';
import { everyOpenSlot, someOpenSlots } from '../support/requests.js';
import { generous, startTestService } from '../support/service.js';

/** A person's hold, and the text of any page of it. */
async function heldPages(t: Test, environment?: Record<string, string>) {
  const service = await startTestService(t, environment);
  const held = await holdForPerson({ service });
  const path = new URL(held.url).pathname;
  const read = async (url: string) => {
    const { body } = await service.app.inject({ url, headers: { accept: 'text/html' } });
    const [, main = ''] = /<main[^>]*>(.*)<\/main>/s.exec(body) ?? [];
    return main.replace(/<[^>]+>/g, '').replace(/\s+/g, ' ');
  };
  return { service, held, path, read };
}

void t.test(
  'after the studio has changed its time zone, what holds after a move is on the clocks of the new one',
  async (t) => {
    const { service, held, path, read } = await heldPages(t);
    const { context } = service;
    await changeStudio(context, 'ada@desk', { timezone: 'Asia/Tokyo' });
    const slot = (await someOpenSlots(context, 9)).at(-1)!;

    const { expires_at } = await bookingRow(context, held.id);
    const format = { timeZone: 'Asia/Tokyo', timeStyle: 'short' } as const;
    const end = new Intl.DateTimeFormat('en-US', format).format(expires_at).replace(/\s/g, ' ');
    t.match(await read(moveUrl(path, slot)), `held for you until ${end}`);

    await confirmCheckout(context, held.token);
    const movableUntil = /you can still move it once, until ([^.]+? [AP]M)/i;
    const announced = movableUntil.exec(await read(moveUrl(path, slot)))?.[1];
    t.match(announced, slot.timeSlot);
    const fields = { date: slot.date, time_slot: slot.timeSlot, sequence: '1' };
    await pressMove(service, path, fields);
    t.equal(announced, movableUntil.exec(await read(path))?.[1], 'as the page says after the move');
  },
);

void t.test(
  'the last moment of a move is named with its year, where the session is in another one',
  async (t) => {
    const { service, held, path, read } = await heldPages(t, {
      ...generous,
      MOVE_NOTICE_HOURS: '8760',
      BOOKING_HORIZON_DAYS: '730',
    });
    const { context } = service;
    await confirmCheckout(context, held.token);
    const yearOf = (date: string, yearsBefore: number) => Number(date.slice(0, 4)) - yearsBefore;
    const soon = yearOf(held.slot.date, 1);
    t.match(await read(path), new RegExp(`For yours, that was [^.]+, ${soon} at`));

    const far = (await everyOpenSlot(context)).at(-1)!;
    await moveByStudio(context, 'ada@desk', held.id, far);
    t.match(await read(path), new RegExp(`twice, until [^.]+, ${yearOf(far.date, 1)} at`));
  },
);

void t.test(
  'the page of a hold says whether the session can be moved once confirmed',
  async (t) => {
    const { service, held, path, read } = await heldPages(t);
    const { context } = service;
    t.match(await read(path), 'Once it is confirmed, you can still move it twice, until ');
    const soon = new Date(context.clock.now() + 23 * 3_600_000);
    await context.database
      .updateTable('bookings')
      .set({ starts_at: soon })
      .where('id', '=', held.id)
      .execute();
    t.match(
      await read(path),
      'It begins within 24 hours: once it is confirmed, you cannot move it online.',
    );
  },
);
