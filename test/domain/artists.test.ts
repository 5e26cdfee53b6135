import { sql } from 'kysely';
import t from 'tap';
import { placeHold } from '../../src/domain/booking/holds.js';
import { changeArtistDays } from '../../src/domain/studio/artist-days.js';
import { addArtist, changeArtist, orderArtist } from '../../src/domain/studio/artists.js';
import { addBooking, moveByStudio } from '../../src/domain/studio/bookings.js';
import { cancelByStudio } from '../../src/domain/studio/cancellation.js';
import { decide, nearestTimes, readOpenQuestions } from '../../src/domain/studio/closed-days.js';
import { addClosure } from '../../src/domain/studio/closures.js';
import type { ServiceError } from '../../src/errors.js';
import { isSlotTaken } from '../../src/repositories/slot-taking.js';
import { addDays } from '../../src/schedule/dates.js';
import { type Slot, slotStartsAt } from '../../src/schedule/slots.js';
import { addArtists, insertBooking, leaveOneArtist } from '../support/artists.js';
import { bookingRow } from '../support/bookings.js';
import { insertCalendar } from '../support/busy-calendars.js';
import { newPerson, place } from '../support/chairs.js';
import { untilLockWaits } from '../support/database.js';
import { hold } from '../support/holds.js';
import {
  callerNumber,
  everyOpenSlot,
  holdRequest,
  personNumber,
  someOpenSlots,
} from '../support/requests.js';
import { generous, startNeighbour, startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';

const service = await startService(t, generous);
const { context } = service;
const { database } = context;
const neighbour = await startNeighbour(t, context);
const actor = 'ada@desk';

const timezone = 'America/Los_Angeles';
/** A row with the name that live bookings have once there is a second artist, or none. */
let artistName: string | null = null;
const insertRow = (
  slot: Slot,
  artistId: number,
  changes: Parameters<typeof insertBooking>[3] = {},
) => insertBooking(context, slot, artistId, { artist_name: artistName, ...changes });

t.test(
  'the database holds a slot to one booking, and with a second artist to one of each',
  async (t) => {
    const [slot] = await someOpenSlots(context, 1);
    const { booking } = await hold(context, slot.date, slot.timeSlot);
    await insertCalendar(context);
    t.match(booking, { artist_id: 1, artist_name: null, label: /AM$|PM$/ });
    const refuses = async (wanted: string, insert: Promise<unknown>) => {
      const error = await insert.catch((failure: unknown) => failure);
      t.equal((error as { constraint?: string }).constraint, wanted);
      t.ok(isSlotTaken(error));
    };
    await refuses('bookings_one_live_per_slot', insertRow(slot, 1));

    t.match(
      await addArtist(context, actor, { name: 'Jon', about: '', email: '' }, { isAgreed: true }),
      {
        outcome: 'first_unnamed',
      },
    );
    const artists = await addArtists(context, 4);
    artistName = 'Somebody';
    t.strictSame(
      artists.map(({ slug }) => slug),
      ['mara', 'jon', 'zoe', 'ada'],
    );
    t.match(await bookingRow(context, booking.id), {
      artist_name: 'Mara',
      label: `${booking.label} with Mara`,
      sequence: booking.sequence,
    });
    const calendars = database.selectFrom('watched_calendars').select('artist_id');
    t.strictSame(await calendars.execute(), [{ artist_id: 1 }], 'the first takes them over');
    await refuses('bookings_one_live_per_artist', insertRow(slot, 1, { may_overlap: true }));
    await insertRow(slot, 2);
    const morning: Slot = { date: '2027-06-01', timeSlot: '9:00 AM' };
    const startsAt = new Date(slotStartsAt(timezone, morning.date, '9:00 AM').epochMs + 3_600_000);
    const overlapping = (artistId: number, changes = {}) =>
      insertRow({ ...morning, timeSlot: '1:00 PM' }, artistId, { starts_at: startsAt, ...changes });
    await insertRow(morning, 2);
    await refuses('bookings_apart', overlapping(2));
    await overlapping(2, { may_overlap: true });
    await overlapping(1);
  },
);

t.test('forty people at two processes fill a slot to exactly its free artists', async (t) => {
  await startOver(context, neighbour);
  const [slot] = await someOpenSlots(context, 1);
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const process = index % 2 === 0 ? context : neighbour;
      const request = holdRequest(slot, personNumber(index));
      return placeHold(process, callerNumber(index), request, null).then(
        ({ booking }) => booking.artist_name!,
        (error: unknown) => (error as ServiceError).code,
      );
    }),
  );
  const held = outcomes.filter((outcome) => outcome !== 'slot_unavailable').sort();
  t.strictSame(held, ['Ada', 'Jon', 'Mara', 'Zoë'], 'no artist twice, and nobody in vain');
  t.match(await addBooking(context, actor, slot, { name: 'Walter' }), { outcome: 'taken' });
});

t.test('whose artist is confirmed at that moment gets another who is free', async (t) => {
  await startOver(context, neighbour);
  const [slot] = await someOpenSlots(context, 1);
  const { booking } = await hold(context, slot.date, slot.timeSlot);
  t.equal(booking.artist_name, 'Mara');
  let holding: ReturnType<typeof placeHold> | undefined;
  await database.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('bookings')
      .set({ status: 'confirmed', confirmed_at: booking.created_at })
      .where('id', '=', booking.id)
      .execute();
    await service.shiftClock(16 * 60_000);
    await context.board.refresh();
    holding = placeHold(context, callerNumber(2), holdRequest(slot, personNumber(2)), null);
    await untilLockWaits(database, 1, holding);
  });
  t.match(await holding, { booking: { artist_name: 'Jon' } });
  await service.shiftClock(0);
});

t.test(
  'a sick day within the notice has another artist, and a move nobody who is away',
  async (t) => {
    await startOver(context, neighbour);
    const [slot, other] = await someOpenSlots(context, 2);
    const added = await addBooking(context, actor, { ...slot, artistId: 1 }, { name: 'Walter' });
    const booking = await bookingRow(context, 'booking' in added ? added.booking.id : '');
    await service.shiftClock(booking.starts_at.getTime() - context.clock.now() - 30 * 60_000);
    const closure = { fromDate: slot.date, toDate: other.date, timeSlot: null, artistId: 1 };
    const offers = await nearestTimes(context, [booking], closure);
    t.match(offers.get(booking.id), [{ ...slot, artistName: 'Jon' }, {}]);
    await service.shiftClock(0);
    await addClosure(context, actor, { ...closure, reason: '' });
    t.match(await moveByStudio(context, actor, booking.id, other), {
      outcome: 'moved',
      booking: { artist_name: 'Jon' },
      schedule: 'open',
    });
  },
);

t.test('a name goes to live bookings, and the last who is shown stays', async (t) => {
  await startOver(context, neighbour);
  const [slot] = await someOpenSlots(context, 1);
  const added = await addBooking(context, actor, { ...slot, artistId: 3 }, { name: 'Walter' });
  t.match(added, { outcome: 'added', booking: { artist_name: 'Zoë', label: / with Zoë$/ } });
  const id = 'booking' in added ? added.booking.id : '';
  t.match(await changeArtist(context, actor, 'zoe', { name: 'jon' }), {
    mistakes: { name: /Another artist/ },
  });
  t.match(await changeArtist(context, actor, 'zoe', { name: 'Zoe Q.', email: 'zoe' }), {
    mistakes: { email: /e-mail address/ },
  });
  await changeArtist(context, actor, 'zoe', { name: ' Zoe  Q. ', about: ' Fine\nline ' });
  t.match(await bookingRow(context, id), { artist_name: 'Zoe Q.', label: / with Zoe Q\.$/ });
  for (const slug of ['mara', 'jon', 'ada'])
    await changeArtistDays(context, actor, slug, { isHidden: true });
  t.match(await changeArtistDays(context, actor, 'zoe', { isHidden: true }), {
    outcome: 'last_shown',
  });
  t.match(await addBooking(context, actor, slot, { name: 'Ida' }), { outcome: 'taken' });
  const ofHidden = await addBooking(context, actor, { ...slot, artistId: 1 }, { name: 'Ida' });
  t.match(ofHidden, { outcome: 'added', booking: { artist_name: 'Mara' } }, 'the studio by name');
  await t.rejects(placeHold(context, callerNumber(1), holdRequest(slot), null), {
    code: 'slot_unavailable',
  });
  for (const slug of ['mara', 'jon', 'ada'])
    await changeArtistDays(context, actor, slug, { isHidden: false });
  await orderArtist(context, actor, 'ada', 1);
  const order = database.selectFrom('artists').select('slug').orderBy('position');
  t.strictSame(
    (await order.execute()).map(({ slug }) => slug),
    ['ada', 'mara', 'jon', 'zoe'],
  );
});

t.test(
  'who chooses nobody gets whoever has the fewest sessions that day, then near it, then was booked longest ago',
  async (t) => {
    await startOver(context, neighbour);
    await leaveOneArtist(context);
    const [mara, jon, zoe] = await addArtists(context, 3);
    const open = await everyOpenSlot(context, 2);
    const days = [...new Set(open.map(({ date }) => date))];
    const at = (day: number, index = 0) =>
      open.filter(({ date }) => date === days[day])[index] as Slot;
    let person = 0;
    const holder = async (slot: Slot) => {
      person += 1;
      return (await place(context, slot, newPerson(), person)).booking.artist_name;
    };
    const twelve: (string | null)[] = [];
    for (let day = 0; day < 12; day += 1) twelve.push(await holder(at(day)));
    const shares = ['Mara', 'Jon', 'Zoë'].map((name) => twelve.filter((each) => each === name));
    t.strictSame(
      shares.map(({ length }) => length),
      [4, 4, 4],
      'one booking a day is shared',
    );

    // Mara has the most near that day, and is the only one who has none on it.
    await startOver(context, neighbour);
    for (const day of [1, 2, 3]) await insertRow(at(day), mara!.id, { artist_name: 'Mara' });
    await insertRow(at(0), jon!.id, { artist_name: 'Jon' });
    await insertRow(at(0), zoe!.id, { artist_name: 'Zoë' });
    await context.board.refresh();
    t.equal(await holder(at(0, 1)), 'Mara');

    // Of those who have none near: she was booked last, though long before that day.
    await startOver(context, neighbour);
    const last = open.at(-1)!;
    t.equal(await holder(at(0)), 'Mara');
    t.equal(await holder(last), 'Jon');
    await context.board.refresh();
    const far = open.findLast(({ date }) => date < addDays(last.date, -16)) as Slot;
    t.equal(await holder(far), 'Zoë');
    const farther = open.findLast(({ date }) => date < addDays(far.date, -16)) as Slot;
    t.equal(await holder(farther), 'Mara', 'she was booked longest ago');
  },
);

t.test(
  'sessions of who has left or is hidden are undecided, once told, and nothing is kept once it is undone',
  async (t) => {
    await startOver(context);
    await leaveOneArtist(context);
    const [mara, jon] = await addArtists(context, 2);
    const [early, slot] = (await everyOpenSlot(context, 2)).filter(
      ({ timeSlot }) => timeSlot === '9:00 AM',
    );
    const atJon = { ...slot!, artistId: jon!.id };
    const added = await addBooking(context, actor, atJon, { name: 'Ida' });
    const { id } = 'booking' in added ? added.booking : { id: '' };
    const leave = (lastDay: string | null) => changeArtistDays(context, actor, 'jon', { lastDay });
    const choice = async () => (await bookingRow(context, id)).closed_day_choice;
    const undecided = async () =>
      (await readOpenQuestions(context)).undecided.map((each) => each.id);
    const told = database
      .selectFrom('events')
      .select('id')
      .where(sql<boolean>`data ? 'left_undecided'`);
    const keep = async () => {
      const { sequence } = await bookingRow(context, id);
      return decide(context, actor, [{ id, sequence, choice: 'keep' }]);
    };
    t.match(await leave(early!.date), { outcome: 'saved', met: [{ id }] });
    t.strictSame(await undecided(), [id]);
    t.match(await leave(early!.date), { outcome: 'saved', decided: [] }, 'twice');
    t.equal((await told.execute()).length, 1, 'told once');
    t.match(await keep(), [{ outcome: 'done' }]);
    t.strictSame(await undecided(), []);
    await leave(null);
    t.equal(await choice(), null);
    t.match(await keep(), [{ outcome: 'open' }], 'there is nothing to decide');
    await changeArtistDays(context, actor, 'jon', { isHidden: true });
    t.strictSame(await undecided(), [id]);
    await keep();
    await changeArtistDays(context, actor, 'jon', { isHidden: false });
    t.equal(await choice(), null);

    // The studio may place there on purpose, and the answer says why people could not.
    await leave(early!.date);
    await cancelByStudio(context, actor, id);
    const again = await addBooking(context, actor, atJon, { name: 'Ida' });
    t.match(again, { schedule: 'no_session', booking: { closed_day_choice: 'kept' } });
    t.match(await changeArtistDays(context, actor, 'mara', { isHidden: true }), {
      outcome: 'saved',
    });
    t.match(await changeArtistDays(context, actor, 'mara', { isHidden: false }), {
      outcome: 'saved',
    });
    const days = { firstDay: early!.date, lastDay: addDays(early!.date, -1) };
    const wrong = await changeArtistDays(context, actor, 'mara', days);
    t.match(wrong, { outcome: 'last_before_first' });
    const last = await changeArtistDays(context, actor, 'mara', { lastDay: slot!.date });
    t.match(last, { outcome: 'last_shown' }, 'Jon has left by then');
    t.equal(
      (await addArtist(context, actor, { name: 'Eva', about: '', email: '' }, { isAgreed: true }))
        .outcome,
      'saved',
    );
    t.match(await changeArtistDays(context, actor, 'eva', { isHidden: false }), {
      outcome: 'is_new',
    });
    await context.board.refresh();
    const { artists } = await context.board.read();
    t.match(artists, [{ id: mara!.id }, { lastDay: early!.date }, { isHidden: true }]);
  },
);
