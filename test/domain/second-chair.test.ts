import t from 'tap';
import { addBooking, moveByStudio, questionKey } from '../../src/domain/studio/bookings.js';
import { nearestTimes } from '../../src/domain/studio/closed-days.js';
import { correctByStudio } from '../../src/domain/studio/correction.js';
import type { ServiceError } from '../../src/errors.js';
import { slotKey } from '../../src/schedule/slots.js';
import { addArtists } from '../support/artists.js';
import { newPerson, place, refusal, someSlots } from '../support/chairs.js';
import { addPerson, signedIn } from '../support/console.js';
import { generous, startService } from '../support/service.js';

const actor = 'ada@desk';
const byLink = await startService(t, generous);
await addArtists(byLink.context, 4);

t.test('what is proposed to a person is never at a time of theirs', async (t) => {
  const { context } = byLink;
  const [slot, busy] = await someSlots(byLink, 2);
  const ida = newPerson();
  await place(context, busy, ida);
  await place(context, slot, ida);
  const told = (await refusal(place(context, slot, ida))) as ServiceError;
  const keys = told.alternatives!.map(({ date, time_slot }) => `${date} ${time_slot}`);
  t.notOk(keys.includes(slotKey(busy)));
  t.equal(keys.length, 5);
  const stranger = await refusal(place(context, { ...slot, date: '2020-01-01' }, ida, 99));
  t.ok((stranger as ServiceError).alternatives!.length > 0);

  // The sick day: she sits with Jon at the very time.
  const [mara, jon] = (await context.board.read()).artists;
  const [date] = await someSlots(byLink, 1);
  const eva = { name: 'Eva Berg', email: 'eva.berg@example.com' };
  const withMara = await addBooking(context, actor, { ...date, artistId: mara!.id }, eva);
  const withJon = await addBooking(context, actor, { ...date, artistId: jon!.id }, eva);
  t.match(withJon, { outcome: 'elsewhere', other: { name: eva.name } });
  if (withMara.outcome !== 'added') throw new Error(withMara.outcome);
  if (withJon.outcome !== 'elsewhere') throw new Error(withJon.outcome);
  const both = { agreed: [questionKey(withJon)] };
  await addBooking(context, actor, { ...date, artistId: jon!.id }, eva, both);
  const closure = { fromDate: date.date, toDate: date.date, timeSlot: null, artistId: mara!.id };
  const offers = (await nearestTimes(context, [withMara.booking], closure)).get(
    withMara.booking.id,
  )!;
  t.equal(offers.length, 1, 'no artist at the same time');
  t.not(slotKey(offers[0]!), slotKey(date));
});

t.test('the studio is asked before it seats a person twice, and may', async (t) => {
  const { context } = byLink;
  const [slot, other] = await someSlots(byLink, 2);
  const eva = { name: 'Eva Ask', phone: '5035550177' };
  const first = await addBooking(context, actor, slot, eva);
  t.match(first, { outcome: 'added' });
  t.match(await addBooking(context, actor, slot, { ...eva, name: 'eva ask' }), {
    outcome: 'elsewhere',
  });
  const second = await addBooking(context, actor, other, eva);
  if (second.outcome !== 'added') throw new Error(second.outcome);
  const { id } = second.booking;
  t.match(await moveByStudio(context, actor, id, slot), { outcome: 'elsewhere' });
  if (first.outcome !== 'added') throw new Error(first.outcome);
  const allowed = { agreed: [`elsewhere:${first.booking.id}`] };
  t.match(await moveByStudio(context, actor, id, slot, allowed), { outcome: 'moved' });

  const ola = await addBooking(context, actor, slot, { name: 'Ola', phone: eva.phone });
  if (ola.outcome !== 'added') throw new Error(ola.outcome);
  const given = { name: eva.name };
  const asked = await correctByStudio(context, actor, ola.booking.id, given);
  if (asked.outcome !== 'elsewhere') throw new Error(asked.outcome);
  const joined = { agreed: [`joins:${asked.other.id}`] };
  t.match(await correctByStudio(context, actor, ola.booking.id, given, joined), {
    outcome: 'elsewhere',
  });
  const also = { agreed: [questionKey(asked)] };
  t.match(await correctByStudio(context, actor, ola.booking.id, given, also), {
    outcome: 'corrected',
  });
});

t.test('the answer of the studio counts for the session that it was asked about', async (t) => {
  const [slot] = await someSlots(byLink, 1);
  for (const name of ['Uma Two', 'Ivo Two'])
    await addPerson(byLink, slot, { name, phone: '5035550178' });
  const ada = await signedIn(byLink);
  const [question, add] = ['[role=alert]', 'Add the booking'];
  await ada.open(`/console/bookings/new?date=${slot.date}&time_slot=${slot.timeSlot}&artist=ada`);
  t.equal(await ada.press(add, { name: 'Uma Two', phone: '5035550178' }), 409);
  t.match(ada.text(question), /Uma Two has another session at that time/);
  t.equal(await ada.press(add, { name: 'Ivo Two' }), 409);
  t.match(ada.text(question), /Ivo Two has another session at that time/);
  t.equal(await ada.press(add), 200);
  t.match(ada.text('h1'), 'Ivo Two');
});
