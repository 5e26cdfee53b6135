import type { Slot } from '../../src/calendar/slots.js';
import type { Context } from '../../src/context.js';
import { addCalendarFeed, feedPath } from '../../src/domain/calendar-feeds.js';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { placeHold } from '../../src/domain/holds.js';
import { readCalendar } from './ical.js';
import { callerNumber, holdRequest, personNumber } from './requests.js';
import type { TestService } from './service.js';

/** A feed, and the path of its address. */
export async function addFeed(context: Pick<Context, 'database'>, hasDetails = false) {
  const feed = { label: 'Phone', hasDetails };
  const added = await addCalendarFeed(context, 'ada@desk', feed);
  if (added.outcome === 'refused') throw new Error(added.message);
  const { token } = added.issued;
  return { id: added.issued.feed.id, token, path: feedPath(token) };
}

/** What a calendar program reads at the address. */
export async function readFeed({ app }: Pick<TestService, 'app'>, path: string) {
  const answer = await app.inject(path);
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`);
  return { ...readCalendar(answer.body), answer };
}

/** A hold of a different person for each number. */
export async function holdNumber(
  { context }: Pick<TestService, 'context'>,
  index: number,
  slot: Slot,
  changes: Parameters<typeof holdRequest>[1] = {},
) {
  const request = holdRequest(slot, { ...personNumber(index), ...changes });
  const { booking, checkoutToken } = await placeHold(context, callerNumber(index), request, null);
  return { id: booking.id, token: checkoutToken };
}

/** As `holdNumber`, and confirmed. */
export async function sessionNumber(...hold: Parameters<typeof holdNumber>) {
  const booking = await holdNumber(...hold);
  await confirmCheckout(hold[0].context, booking.token);
  return booking;
}
