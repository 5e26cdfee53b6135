import type { BookingClient } from '../../src/client/client.js';
import type { Context } from '../../src/context.js';
import { addClosure } from '../../src/domain/studio/closures.js';
import { nextPerson } from './people.js';
import { findOpenTimes, hold, press } from './steps.js';

const weekDays = 7;
const shownDays = 30;

/** Books most of the first week and some of the later weeks, and closes one day. */
export async function fillWeeks(
  client: BookingClient,
  studio: Pick<Context, 'database' | 'clock' | 'config'>,
): Promise<void> {
  const open = await findOpenTimes(client, shownDays);
  const dates = [...new Set(open.map(({ date }) => date))];
  const away = dates[weekDays] ?? '2100-01-01';
  const closure = { fromDate: away, toDate: away, timeSlot: null, reason: 'At a convention' };
  await addClosure(studio, 'demo', closure);
  const wanted = open.filter(({ date }, index) => {
    const isSoon = dates.indexOf(date) < weekDays - 2;
    return isSoon ? index % 3 !== 1 : index % 5 === 0;
  });
  await Promise.all(
    wanted.map(async (time) => {
      const held = await hold(client, time, nextPerson());
      if (held !== null) await press(held.checkout_url, 'confirm');
    }),
  );
}
