import { sql } from 'kysely';
import { sessionText } from './bookings.js';
import { releaseCheckout } from './checkouts.js';
import { holdForPerson, sessionForPerson } from './holds.js';
import { age, moveUrl } from './pages.js';
import { someOpenSlots } from './requests.js';
import type { TestService } from './service.js';

/** An address, the title of its page, its buttons, and whether it has the calendar file. */
type State = [url: string, title: string, actions?: string[], hasFile?: boolean];

/** A booking in every state that its page shows, and the other pages at its address. */
export async function everyCheckoutState(service: TestService): Promise<Record<string, State>> {
  const { context } = service;
  const base = context.config.publicBaseUrl;
  const hold = () => holdForPerson(service);
  const confirmed = () => sessionForPerson(service);
  const change = async ({ id }: { id: string }, changes: object) => {
    await context.database.updateTable('bookings').set(changes).where('id', '=', id).execute();
  };
  const pending = await hold();
  const session = await confirmed();
  const released = await hold();
  await releaseCheckout(context, released.token, 'pending');
  const cancelled = await confirmed();
  await releaseCheckout(context, cancelled.token, 'confirmed');
  const gone = await hold();
  await age(service, gone.id, 901);
  await confirmed();
  const past = await confirmed();
  await change(past, { starts_at: new Date(0), ends_at: new Date(1), date: '1970-01-01' });
  const limited = await confirmed();
  const moved_at = sql<Date>`confirmed_at + interval '1 minute'`;
  await change(limited, { moves_once_confirmed: 2, moved_at });
  const [, open] = await someOpenSlots(context, 2);
  const expired = await hold();
  await age(service, expired.id, 901);
  const [over, unknown] = ['Your hold has ended', 'We do not know this link'];
  const sure = 'Your session is confirmed';
  const { openingHours } = await context.board.read();
  const [from, to] = [session.slot, open!].map((slot) => sessionText(slot, openingHours));
  const move = `Move from ${from} to ${to}?`;
  return {
    pending: [pending.url, 'This time is held for you', ['confirm', 'release']],
    confirmed: [session.url, sure, ['cancel'], true],
    released: [released.url, 'This time was released'],
    cancelled: [cancelled.url, 'This session is cancelled', [], true],
    gone: [gone.url, over, ['hold_again']],
    past: [past.url, 'This session was confirmed'],
    expired: [expired.url, over, ['hold_again']],
    limited: [limited.url, sure, ['cancel'], true],
    'choosing a time': [`${session.url}/move`, 'Choose another time'],
    'refused a time': [moveUrl(pending.url, session.slot), 'That time has been taken'],
    'asked to move': [moveUrl(session.url, open!), move, ['move']],
    'refused to move': [`${limited.url}/move`, 'Please ask us to move it'],
    unknown: [`${base}/checkout/unknown`, unknown],
    truncated: [`${base}/checkout`, unknown],
    extended: [`${expired.url}/and.so/on`, unknown],
  };
}
