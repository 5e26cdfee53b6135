import t from 'tap';
import { changeArtistDays } from '../../src/domain/studio/artist-days.js';
import { readArtists } from '../../src/domain/studio/artists.js';
import { addBooking } from '../../src/domain/studio/bookings.js';
import { cancelByStudio } from '../../src/domain/studio/cancellation.js';
import {
  decide,
  type Decision,
  nearestTimes,
  readOpenQuestions,
} from '../../src/domain/studio/closed-days.js';
import { addClosure, readBookingsToClose } from '../../src/domain/studio/closures.js';
import { type Slot, slotKey } from '../../src/schedule/slots.js';
import { addArtists } from '../support/artists.js';
import { bookingRow } from '../support/bookings.js';
import { killedAt } from '../support/database.js';
import { everyOpenSlot, personNumber } from '../support/requests.js';
import { generous, startService } from '../support/service.js';

const actor = 'ada@front-desk';
const word = 'Mara is ill, and sorry.';
const service = await startService(t, generous, { mail: true });
const { context, smtp } = service;

/** All that a change leaves. */
async function state(): Promise<unknown> {
  const { database } = context;
  const all = (name: 'bookings' | 'closures' | 'audit_log') =>
    database.selectFrom(name).selectAll().orderBy('id').execute();
  const events = database.selectFrom('events').select(['id', 'data']).orderBy('position');
  return Promise.all([all('bookings'), all('closures'), all('audit_log'), events.execute()]);
}

t.test(
  'the sick day of one of three artists, killed at any step, is as before or moves all eight, each with one mail',
  async (t) => {
    const [mara, jon, zoe] = await addArtists(context, 3);
    const open = await everyOpenSlot(context, 2);
    const slots = open.slice(open.findIndex(({ timeSlot }) => timeSlot === '9:00 AM')).slice(0, 8);
    let person = 0;
    const place = async (artistId: number, slot: Slot) => {
      person += 1;
      const given = { name: 'Ida', email: personNumber(person).email };
      const added = await addBooking(context, actor, { ...slot, artistId }, given);
      if (added.outcome !== 'added') throw new Error(added.outcome);
      return { ...added.booking, email: given.email };
    };
    const booked: Awaited<ReturnType<typeof place>>[] = [];
    for (const slot of slots) booked.push(await place(mara!.id, slot));
    // At the first time both others work, at the second one of them.
    const others = [
      await place(jon!.id, slots[0]!),
      await place(zoe!.id, slots[0]!),
      await place(jon!.id, slots[1]!),
    ];
    const closure = {
      fromDate: slots[0]!.date,
      toDate: slots.at(-1)!.date,
      timeSlot: null,
      reason: '',
      artistId: mara!.id,
    };
    const there = await readBookingsToClose(context, closure);
    t.strictSame(
      there.map(({ id }) => id),
      booked.map(({ id }) => id),
      'nobody else is asked about',
    );
    const offers = await nearestTimes(context, there, closure);
    const all = [...offers.values()].flat();
    t.equal(
      new Set(all.map((to) => `${slotKey(to)} ${to.artistId}`)).size,
      all.length,
      'each once',
    );
    t.equal(all.filter(({ isOwn }) => isOwn !== true).length, 15);
    t.notOk(
      all.some(
        ({ date, artistId }) =>
          artistId === mara!.id && closure.fromDate <= date && date <= closure.toDate,
      ),
      'nothing of hers while she is away',
    );
    const [none, zoes, ...jons] = there.map(({ id }) => offers.get(id)!);
    t.match([none!.length, zoes![0]], [2, { ...slots[1], artistName: 'Zoë' }]);
    t.match(none![1], { artistName: 'Mara', isOwn: true }, 'her own next time, beside the nearest');
    t.ok(none![1]!.date > closure.toDate);
    t.match(
      jons.map(([to]) => to),
      slots.slice(2).map((slot) => ({ ...slot, artistName: 'Jon' })),
      'the same time with the next artist, before any other time',
    );
    await service.settle();
    const earlier = smtp.received().length;

    const decisions = there.map(({ id, sequence }): Decision => ({
      id,
      sequence,
      choice: 'move',
      to: offers.get(id)![0]!,
    }));
    const press = (database = context.database) =>
      addClosure({ ...context, database }, actor, closure, { decisions, word });
    const before = await state();
    let kills = 0;
    while (
      (await press(killedAt(t, context, kills + 1, false).database).catch(() => null)) === null
    ) {
      kills += 1;
      t.strictSame(await state(), before, `killed before statement ${kills}`);
    }
    t.ok(kills > 3 * booked.length);
    const done = await state();
    t.match(await press(), { outcome: 'exists', decided: booked.map(() => ({ outcome: 'done' })) });
    t.strictSame(await state(), done, 'the same press again changes nothing');
    await service.settle();
    const mailed = async (to: string) => {
      const mails = smtp
        .received()
        .slice(earlier)
        .filter((mail) => mail.to.includes(to));
      return Promise.all(mails.map(async (mail) => (await mail.parsed()).subject));
    };
    for (const { id, email } of booked) {
      const { artistId } = offers.get(id)![0]!;
      t.match(await bookingRow(context, id), { sequence: 1, artist_id: artistId });
      t.match(
        await mailed(email),
        [/^Moved to .* with (Jon|Zoë) /],
        'one mail, which says with whom',
      );
    }
    for (const { id, email } of others) {
      t.equal((await bookingRow(context, id)).sequence, 0);
      t.strictSame(await mailed(email), []);
    }
    const { undecided } = await readOpenQuestions(context);
    t.notOk(undecided.some(({ id }) => booked.some((each) => each.id === id)));

    // Offered, and hidden meanwhile: the session stays where it is.
    const late = await place(mara!.id, (await everyOpenSlot(context, 2)).at(-1)!);
    const { date, time_slot: timeSlot } = late;
    await addClosure(context, actor, { ...closure, fromDate: date, toDate: date });
    await changeArtistDays(context, actor, jon!.slug, { isHidden: true });
    const to = { date, timeSlot, artistId: jon!.id };
    const moving: Decision = { id: late.id, sequence: late.sequence, choice: 'move', to };
    t.match(await decide(context, actor, [moving]), [{ outcome: 'closed' }]);
  },
);

t.test('a cancellation leads to the open times of the artist who was chosen', async (t) => {
  const [, jon, zoe] = await readArtists(context);
  const free = await everyOpenSlot(context, 4);
  const linkAfter = async (artistId: number, isChosen: boolean) => {
    const email = `cancelled-${artistId}-${isChosen}@example.com`;
    const added = await addBooking(
      context,
      actor,
      { ...free.pop()!, artistId },
      { name: 'Una', email },
    );
    if (added.outcome !== 'added') throw new Error(added.outcome);
    const { id } = added.booking;
    const chosen = { is_artist_chosen: isChosen };
    await context.database.updateTable('bookings').set(chosen).where('id', '=', id).execute();
    await cancelByStudio(context, actor, id, {});
    await service.settle();
    const mails = smtp.received().filter(({ to }) => to.includes(email));
    return /\/book[^>\s]*/.exec((await mails.at(-1)!.parsed()).text ?? '')?.[0];
  };
  t.equal(await linkAfter(zoe!.id, true), '/book?artist=zoe');
  t.equal(await linkAfter(zoe!.id, false), '/book', 'who took whoever was free');
  t.equal(await linkAfter(jon!.id, true), '/book', 'he takes no new bookings');
});
