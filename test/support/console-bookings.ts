import type { Page, Response } from 'playwright-core';
import type { Test } from 'tap';
import { slotStartsAt, type Slot } from '../../src/calendar/slots.js';
import type { BookingRow } from '../../src/database/schema.js';
import { addBooking } from '../../src/domain/studio-bookings.js';
import { listAuditRows } from '../../src/repositories/audit.js';
import { startPages, type Pages } from './pages.js';
import { everyOpenSlot } from './requests.js';
import type { TestService } from './service.js';

type WithService = Pick<Pages, 'service'>;

/** A booking of the studio's own. */
export async function addPerson(
  { service: { context } }: WithService,
  slot: Slot,
  person: Parameters<typeof addBooking>[3] = { name: 'Grace' },
): Promise<BookingRow> {
  const added = await addBooking(context, 'test', slot, person);
  if (added.outcome !== 'added') throw new Error(`${slot.date} ${slot.timeSlot}: ${added.outcome}`);
  await context.board.refresh();
  return added.booking;
}

/**
 * A service on the morning of a day with three open sessions, a minute after the first has begun, which
 * is booked; null without a browser.
 */
export async function startInSession(
  t: Test,
): Promise<{ pages: Pages; running: BookingRow; later: Slot } | null> {
  const pages = await startPages(t);
  if (pages === null) return null;
  const { service } = pages;
  const { context } = service;
  const slots = await everyOpenSlot(context, 2);
  const morning = slots.find(
    ({ date, timeSlot }, index) =>
      timeSlot === '9:00 AM' &&
      slots[index + 1]?.date === date &&
      slots[index + 1]?.timeSlot === '1:00 PM',
  );
  if (morning === undefined) throw new Error('no day is open');
  const { calendar } = await context.board.read();
  const { epochMs } = slotStartsAt(calendar.timezone, morning.date, morning.timeSlot);
  await service.shiftClock(epochMs - Date.now() + 60_000);
  const running = await addPerson(pages, morning, { name: 'Ida Running' });
  return { pages, running, later: { date: morning.date, timeSlot: '1:00 PM' } };
}

/** The newest actions of the audit, newest first. */
export async function newestActions(
  { service: { context } }: Pick<Pages, 'service'> | { service: TestService },
  limit: number,
): Promise<{ actor: string; action: string }[]> {
  const rows = await listAuditRows(context.database, limit);
  return rows.map(({ actor, action }) => ({ actor, action }));
}

/** What the page that follows the action answers, after the redirects. */
export async function answerTo(page: Page, action: () => Promise<unknown>): Promise<Response> {
  const [answer] = await Promise.all([
    page.waitForResponse(
      (response) => response.request().isNavigationRequest() && response.status() !== 303,
    ),
    action(),
  ]);
  await page.waitForLoadState();
  return answer;
}
