import t, { type Test } from 'tap';
import { closeContext, createContext, openContext, type Context } from '../../src/context.js';
import { addClosure, removeClosure } from '../../src/domain/closures.js';
import { placeHold, type PlacedHold } from '../../src/domain/holds.js';
import { ServiceError } from '../../src/errors.js';
import { callerNumber, holdRequest, personNumber, someOpenSlots } from '../support/requests.js';
import { generous, startNeighbour, startTestService } from '../support/service.js';

/** The outcome of a hold: its booking's id, or the code of the refusal. */
async function outcome(hold: Promise<PlacedHold>): Promise<string> {
  try {
    return `held ${(await hold).booking.id}`;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

function count(outcomes: string[], start: string): number {
  return outcomes.filter((each) => each.startsWith(start)).length;
}

/** Further processes' contexts on the same database: they share nothing in memory. */
async function moreContexts(t: Test, context: Context, howMany: number): Promise<Context[]> {
  const contexts = Array.from({ length: howMany }, () => createContext(context));
  t.teardown(async () => {
    for (const each of contexts) await closeContext(each);
  });
  for (const each of contexts) await openContext(each);
  return contexts;
}

const service = await startTestService(t);

t.test(
  '200 parallel holds on one slot from different callers: one 201, 199 times 409, no 5xx',
  async (t) => {
    const { url, context } = service;
    const [slot] = await someOpenSlots(context, 1);
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const response = await fetch(`${url}/api/public/holds`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(holdRequest(slot!, { email: `caller${index}@example.com` })),
        });
        await response.arrayBuffer();
        return response.status;
      }),
    );
    t.equal(statuses.filter((status) => status === 201).length, 1);
    t.equal(statuses.filter((status) => status === 409).length, 199);
  },
);

t.test('200 parallel holds on one slot through four processes: one is held', async (t) => {
  const { context } = service;
  const contexts = [context, ...(await moreContexts(t, context, 3))];
  const [slot] = await someOpenSlots(context, 1);
  const outcomes = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      outcome(placeHold(contexts[index % 4]!, callerNumber(index), holdRequest(slot!), null)),
    ),
  );
  t.equal(count(outcomes, 'held'), 1);
  t.equal(count(outcomes, 'slot_unavailable'), 199);
});

t.test('holds on 50 slots at once: 50 times 201', async (t) => {
  const { context } = service;
  const slots = await someOpenSlots(context, 50);
  const outcomes = await Promise.all(
    slots.map((slot, index) =>
      outcome(placeHold(context, callerNumber(index), holdRequest(slot), null)),
    ),
  );
  t.equal(count(outcomes, 'held'), 50);
});

t.test('a hold that loses its slot for a moment gets slot_unavailable', async (t) => {
  const { context } = service;
  const [slot] = await someOpenSlots(context, 1);
  const { date, timeSlot } = slot!;
  // Closed for the statement and open again when the board is read, which knew of neither.
  const closure = { fromDate: date, toDate: date, timeSlot, reason: '' };
  const state = await context.board.read();
  const added = await addClosure(context, 'test', closure, { cancelBookings: false });
  if (added.outcome !== 'added') throw new Error(added.outcome);
  const board = {
    ...context.board,
    read: () => state,
    refresh: async () => void (await removeClosure(context, 'test', added.closure.id)),
  };
  const held = placeHold({ ...context, board }, callerNumber(1), holdRequest(slot!), null);
  t.equal(await outcome(held), 'slot_unavailable');
});

t.test(
  'a twin that another process holds between lookup and board is replayed, not refused',
  async (t) => {
    const { context } = service;
    const [other] = await moreContexts(t, context, 1);
    const [slot] = await someOpenSlots(context, 1);
    const request = holdRequest(slot!);
    let first: PlacedHold | undefined;
    // A hold is charged after the lookup of its key, and before the board is read.
    const chargeTo = async (): Promise<void> => {
      first ??= await placeHold(other!, callerNumber(1), request, 'twin');
      await context.board.refresh();
    };
    const caller = callerNumber(2);
    const meter = { ...caller.meter, chargeTo };
    const twin = await placeHold(context, { ...caller, meter }, request, 'twin');
    t.equal(twin.replayed, true);
    t.equal(twin.booking.id, first?.booking.id);
  },
);

t.test('the pending cap of the studio is not passed by 40 parallel holds', async (t) => {
  const { context } = await startTestService(t, { ...generous, MAX_PENDING_HOLDS: '10' });
  const contexts = [context, ...(await moreContexts(t, context, 1))];
  const slots = await someOpenSlots(context, 40);
  const outcomes = await Promise.all(
    slots.map((slot, index) =>
      outcome(placeHold(contexts[index % 2]!, callerNumber(index), holdRequest(slot), null)),
    ),
  );
  t.equal(count(outcomes, 'held'), 10);
  t.equal(count(outcomes, 'too_many_pending_holds'), 30);
});

t.test('the last third of the places is not passed by parallel holds of a network', async (t) => {
  const { context } = await startTestService(t, { ...generous, MAX_PENDING_HOLDS: '12' });
  const contexts = [context, ...(await moreContexts(t, context, 1))];
  const slots = await someOpenSlots(context, 84);
  const hold = (caller: number) =>
    outcome(
      placeHold(contexts[slots.length % 2]!, callerNumber(caller), holdRequest(slots.pop()!), null),
    );
  for (const caller of [1, 2, 3]) await hold(caller);
  const many = Array.from({ length: 40 }, (_, index) => index);
  const known = await Promise.all(many.map((index) => hold(1 + (index % 3))));
  t.equal(count(known, 'held'), 5);
  const newcomers = await Promise.all(many.map((index) => hold(10 + (index % 10))));
  t.equal(count(newcomers, 'held'), 4);
  const held = many.filter((index) => newcomers[index]!.startsWith('held'));
  t.equal(new Set(held.map((index) => index % 10)).size, 4, 'one each');
});

t.test('the caps of live bookings are not passed by parallel holds in two processes', async (t) => {
  const service = await startTestService(t, {
    ...generous,
    MAX_LIVE_BOOKINGS_PER_PERSON: '3',
    MAX_LIVE_BOOKINGS_PER_CALLER: '12',
  });
  service.expectLog(/live bookings as one may place/);
  const { context } = service;
  const processes = [context, await startNeighbour(t, context)];
  const slots = await someOpenSlots(context, 100);
  const attempt = (index: number, caller: number, person: number) =>
    outcome(
      placeHold(
        processes[index % 2]!,
        callerNumber(caller),
        holdRequest(slots.pop()!, personNumber(person)),
        null,
      ),
    );
  const many = Array.from({ length: 40 }, (_, index) => index);
  const onePerson = await Promise.all(many.map((index) => attempt(index, index, 1)));
  t.equal(count(onePerson, 'held'), 3);
  t.equal(count(onePerson, 'rate_limited'), 37);
  const oneCaller = await Promise.all(many.map((index) => attempt(index, 1_000, 100 + index)));
  t.equal(count(oneCaller, 'held'), 12);
  t.equal(count(oneCaller, 'rate_limited'), 28);
});

t.test('the cap of one caller counts by address and by API key', async (t) => {
  const { context } = await startTestService(t, { ...generous, MAX_PENDING_HOLDS_PER_CALLER: '3' });
  const slots = await someOpenSlots(context, 20);
  const hold = (index: number, apiKeyId: string | null, address: string) =>
    outcome(
      placeHold(
        context,
        { ...callerNumber(0), apiKeyId, address, network: address },
        holdRequest(slots[index]!),
        null,
      ),
    );
  const keys = Array.from(
    { length: 5 },
    (_, index) => `0000000${index}-0000-4000-8000-000000000000`,
  );

  const sameAddress = await Promise.all(keys.map((key, index) => hold(index, key, '192.0.2.1')));
  t.equal(count(sameAddress, 'held'), 3, 'other keys from one address do not help');
  const sameKey = await Promise.all(
    keys.map((_, index) => hold(10 + index, keys[4]!, `192.0.2.${10 + index}`)),
  );
  t.equal(count(sameKey, 'held'), 3 - Number(sameAddress[4]?.startsWith('held')));
  t.match(await hold(19, null, '192.0.2.99'), /^held/, 'a stranger still gets a hold');
});
