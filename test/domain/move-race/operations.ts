import { sql } from 'kysely';
import type { TimeSlot } from '../../../generated/schemas.js';
import type { Context } from '../../../src/context.js';
import { placeHold } from '../../../src/domain/booking/holds.js';
import { expireHolds } from '../../../src/domain/booking/new-hold.js';
import { addBooking, moveByStudio } from '../../../src/domain/studio/bookings.js';
import { cancelByStudio } from '../../../src/domain/studio/cancellation.js';
import { ServiceError } from '../../../src/errors.js';
import type { SlotOfArtist } from '../../../src/schedule/artists.js';
import { slotKey, slotOf, type Slot } from '../../../src/schedule/slots.js';
import { openCheckoutToken } from '../../../src/secrets/links.js';
import { confirmCheckout, moveCheckout, releaseCheckout } from '../../support/checkouts.js';
import { later } from '../../support/clock.js';
import { callerNumber, holdRequest, personNumber } from '../../support/requests.js';
import { actor, createCalendarOperations } from './calendar-operations.js';
import type { Attempt, RacePlan } from './race.js';

/** A live booking as an operation read it; it may have changed since. */
interface Seen {
  id: string;
  token: string;
  sequence: number;
  status: 'pending' | 'confirmed';
  slot: Slot;
  /** Null of the studio's own. */
  email: string | null;
  artistId: number;
}

export interface Done {
  outcome: string;
  made?: string;
}

/** The refusals that an operation may meet; any other is unexpected. */
const refusals = ['slot_unavailable', 'move_refused'];

/** From a change of `expires_at` to its new value. */
const edgeMs = 40;
/** People who hold several slots. */
const regulars = 10;

/** The operations of one process, each chosen at random. */
export function createOperations(
  context: Context,
  { random, process, firstPerson, slots, artists }: RacePlan,
): { next(): Promise<Attempt[]> } {
  const pick = <Item>(items: readonly Item[]): Item | undefined =>
    items[Math.floor(random() * items.length)];
  const anySlot = () => pick(slots)!;
  /** Sometimes of one artist, where there are several. */
  const anyPlace = (slot: Slot = anySlot()): SlotOfArtist =>
    artists.length > 1 && random() < 0.4 ? { ...slot, artistId: pick(artists)!.id } : slot;
  const textOf = ({ artistId, ...slot }: SlotOfArtist) =>
    [slotKey(slot), ...artists.flatMap(({ id, name }) => (id === artistId ? [name] : []))].join(
      ' with ',
    );
  let people = firstPerson;
  /** As some client saw them a while ago. */
  let remembered: Seen[] = [];

  async function attempt(
    kind: string,
    work: () => Promise<Done | string>,
    move?: Attempt['move'],
  ): Promise<Attempt> {
    const done = await work().catch((error: unknown) => {
      if (error instanceof ServiceError && refusals.includes(error.code)) return error.code;
      const { code = '', stack = '' } = error as { code?: string; stack?: string };
      return `unexpected: ${code} ${stack}`;
    });
    const { outcome, made = '' } = typeof done === 'string' ? { outcome: done } : done;
    return { kind, outcome, ...(made && { made }), ...(move && { move }) };
  }

  async function readLive(): Promise<Seen[]> {
    const bookings = context.database.selectFrom('bookings').selectAll().orderBy('id');
    const rows = await bookings.where('status', 'in', ['pending', 'confirmed']).execute();
    remembered = rows.map(({ id, sequence, status, checkout_token_sealed: sealed, ...row }) => ({
      id,
      sequence,
      status: status as Seen['status'],
      slot: slotOf(row),
      email: row.email,
      artistId: row.artist_id,
      token: openCheckoutToken(context.keyring, sealed),
    }));
    return remembered;
  }

  /** Half of them by people who may have other sessions: the same of both processes. */
  const anyPerson = () => {
    people += 1;
    return random() < 0.5 ? people : Math.floor(random() * regulars);
  };
  /** A family has one mailbox, and several names. */
  const detailsOf = (person: number) => ({
    ...personNumber(person),
    name: pick(['Ada Park', 'Ben Park'])!,
  });
  const hold = (slot: Slot, person = anyPerson()) =>
    attempt('hold', async () => {
      const request = holdRequest(slot, detailsOf(person));
      const { artistId = null } = anyPlace(slot);
      try {
        const caller = callerNumber(person);
        const { booking } = await placeHold(context, caller, request, null, { artistId });
        return { outcome: 'held', made: booking.id };
      } catch (error) {
        if ((error as ServiceError).ownSession === undefined) throw error;
        return 'a person twice';
      }
    });
  const confirm = ({ token }: Seen) =>
    attempt('confirm', async () => {
      const confirmed = await confirmCheckout(context, token);
      return typeof confirmed === 'string' ? confirmed : 'elsewhere';
    });
  const release = ({ token, status }: Seen) =>
    attempt('release', () => releaseCheckout(context, token, status));
  const move = (kind: string, seen: Seen, to: SlotOfArtist) =>
    attempt(
      kind,
      async () => {
        const { outcome } = await moveCheckout(context, seen.token, to, seen.sequence);
        return outcome === 'done' ? 'returned' : outcome;
      },
      { id: seen.id, sequence: seen.sequence, to: textOf(to) },
    );
  const expire = () => attempt('expire', () => expireHolds(context).then(() => 'done'));

  const studioAdd = () =>
    attempt('studio add', async () => {
      const known = random() < 0.5 ? detailsOf(Math.floor(random() * regulars)) : null;
      const added = await addBooking(context, actor, anyPlace(), known ?? { name: 'Ada Park' });
      return added.outcome === 'added' ? { ...added, made: added.booking.id } : added;
    });
  const studioMove = ({ id, slot }: Seen) =>
    attempt('studio move', () =>
      moveByStudio(context, actor, id, anyPlace(random() < 0.2 ? slot : anySlot())),
    );
  const studioCancel = ({ id }: Seen) =>
    attempt('studio cancel', () => cancelByStudio(context, actor, id));

  const { readClosures, reopen, close, changeWeeks, changeArtist } = createCalendarOperations(
    context,
    { random, slots, artists, pick, anySlot, anyPlace },
    attempt,
  );

  /** Reopens a closed slot, or closes a slot while a booking moves to it. */
  async function closeOrReopen(seen: Seen): Promise<Attempt[]> {
    const slot = anySlot();
    const reopened = await reopen();
    if (reopened !== null) return [reopened];
    return Promise.all([close(slot), move('move to a slot being closed', seen, slot)]);
  }

  /** A slot that a closure covers, most of the time. */
  async function closedSlot(): Promise<Slot> {
    const closure = pick(await readClosures());
    if (closure === undefined) return anySlot();
    return { date: closure.from_date, timeSlot: closure.time_slot ?? ('1:00 PM' as TimeSlot) };
  }

  /** Brings `expires_at` near, and does something that depends on it at about that instant. */
  async function atTheEdge(live: Seen[]): Promise<Attempt[]> {
    const next = pick(live.filter(({ status }) => status === 'pending'));
    const other = pick(live);
    if (next === undefined || other === undefined) return [await hold(anySlot())];
    await sql`
      update bookings set expires_at = booking_now() + make_interval(secs => ${edgeMs / 1000})
      where id = ${next.id} and status = 'pending' and expires_at > booking_now()`.execute(
      context.database,
    );
    await later(random() * edgeMs);
    return Promise.all([
      pick([
        () => move('move at the edge', next, anySlot()),
        () => confirm(next),
        () => release(next),
      ])!(),
      pick([
        () => hold(next.slot),
        () => move('move', other, next.slot),
        () => confirm(next),
        expire,
      ])!(),
    ]);
  }

  async function swap(live: Seen[], kind: string): Promise<Attempt[]> {
    const [one, other] = live.filter(({ status }) => status === 'confirmed');
    if (one === undefined || other === undefined) return [await hold(anySlot())];
    // Both processes choose the same two: each moves one of them.
    if (kind === 'swap across') {
      return [await (process === 0 ? move(kind, one, other.slot) : move(kind, other, one.slot))];
    }
    return Promise.all([move(kind, one, other.slot), move(kind, other, one.slot)]);
  }

  /** Lets a hold lapse, and moves a confirmed booking to its slot. */
  async function moveToLapsed(live: Seen[]): Promise<Attempt[]> {
    const pending = pick(live.filter(({ status }) => status === 'pending'));
    const other = pick(live.filter(({ status }) => status === 'confirmed'));
    if (pending === undefined || other === undefined) return [await hold(anySlot())];
    await sql`
      update bookings set created_at = created_at - interval '1 hour',
        expires_at = expires_at - interval '1 hour'
      where id = ${pending.id} and status = 'pending'`.execute(context.database);
    return [await move('move', other, pending.slot)];
  }

  /** Moves a booking to the slot of another one of its person. */
  async function moveToOwn(live: Seen[]): Promise<Attempt> {
    const isTheirs = (one: Seen, other: Seen) =>
      one.email !== null && one.email === other.email && slotKey(one.slot) !== slotKey(other.slot);
    const seen = live.find((one) => live.some((other) => isTheirs(one, other)));
    const own = seen && live.find((other) => isTheirs(seen, other));
    return own === undefined ? hold(anySlot()) : move('move to their own', seen!, own.slot);
  }

  async function changeOne(choice: number): Promise<Attempt[]> {
    const stale = pick(remembered);
    if (stale !== undefined && choice < 0.05) return [await move('stale move', stale, anySlot())];
    const live = await readLive();
    const seen = pick(live);
    if (seen === undefined) return [await hold(anySlot())];
    if (choice < 0.11) return [await moveToOwn(live)];
    if (choice < 0.13 && seen.email !== null) {
      return [await hold(seen.slot, Number(/\d+/.exec(seen.email)?.[0]))];
    }
    if (choice < 0.18) return [await move('move', seen, anyPlace())];
    if (choice < 0.2 && artists.length > 1) {
      const { id: artistId } = pick(artists.filter(({ id }) => id !== seen.artistId))!;
      return [await move('switch artist', seen, { ...seen.slot, artistId })];
    }
    if (choice < 0.32) return moveToLapsed(live);
    if (choice < 0.37) return swap(live, 'swap');
    if (choice < 0.42) return swap(live, 'swap across');
    if (choice < 0.47) {
      const to = anySlot();
      return Promise.all([move('move twice', seen, to), move('move twice', seen, to)]);
    }
    if (choice < 0.51) return [await move('move to a closed slot', seen, await closedSlot())];
    if (choice < 0.6) return atTheEdge(live);
    if (choice < 0.69) return [await confirm(seen)];
    if (choice < 0.81) return [await release(seen)];
    if (choice < 0.89) return [await studioMove(seen)];
    if (choice < 0.93) return [await studioAdd()];
    if (choice < 0.955) return [await studioCancel(seen)];
    if (choice < 0.97) return [await changeWeeks()];
    if (choice < 0.98 && artists.length > 1) return [await changeArtist()];
    return closeOrReopen(seen);
  }

  return {
    async next() {
      const choice = random();
      if (choice < 0.45) return [await hold(anySlot())];
      if (choice < 0.46) return [await expire()];
      return changeOne(random());
    },
  };
}
