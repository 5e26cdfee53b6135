import type { LightMyRequestResponse } from 'fastify';
import { openSlots } from '../../src/calendar/calendar.js';
import { addDays } from '../../src/calendar/dates.js';
import { todayInZone, type Slot } from '../../src/calendar/slots.js';
import type { Context } from '../../src/context.js';
import type { BookingRow } from '../../src/database/schema.js';
import type { TestService } from './service.js';

export async function bookingRow({ database }: Context, id: string): Promise<BookingRow> {
  return database.selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

export function slotOf({ date, time_slot }: BookingRow): Slot {
  return { date, timeSlot: time_slot };
}

/** Every open slot to the horizon. */
export async function everyOpenSlot({ board, clock }: Context): Promise<Slot[]> {
  await board.refresh();
  const { calendar, taken } = await board.read();
  const now = clock.now();
  const from = todayInZone(calendar.timezone, now);
  const range = { from, to: addDays(from, calendar.horizonDays) };
  return openSlots(calendar, taken, range, now).days.flatMap(({ date, slots }) =>
    slots.map(({ timeSlot }) => ({ date, timeSlot })),
  );
}

/** Posts the form that moves a booking, as a browser does. `fields` replaces some of its fields. */
export async function pressMove(
  { app, context }: TestService,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = { origin: context.config.publicBaseUrl },
): Promise<LightMyRequestResponse> {
  return app.inject({
    method: 'POST',
    url: `${path}/move`,
    headers: {
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    payload: new URLSearchParams({ action: 'move', ...fields }).toString(),
  });
}
