import t from 'tap';
import { readBookingHistory } from '../../src/domain/booking-record.js';
import { removeAddress } from '../../src/domain/studio-addresses.js';
import { changeStudio } from '../../src/domain/studio-settings.js';
import { listAuditRows } from '../../src/repositories/audit.js';
import { bookingRow } from '../support/bookings.js';
import { mailOn } from '../support/codes.js';
import { sessionForPerson } from '../support/holds.js';
import { personNumber, someOpenSlots } from '../support/requests.js';
import { startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';
import { runAnswering, studioEnvironment, studioOn } from '../support/studio.js';

const actor = 'ada@front-desk';
const service = await startService(t, mailOn);
const { app, context } = service;
const { database } = context;
t.beforeEach(() => startOver(context));

/** Two booked sessions of different days. */
async function bookTwo() {
  const slots = await someOpenSlots(context, 9);
  const kept = await sessionForPerson(service, personNumber(1), slots[0]!);
  const touched = await sessionForPerson(service, personNumber(2), slots[8]!);
  return { kept, touched };
}

t.test('a change is audited without the address, and in the history of each session', async (t) => {
  const { kept, touched } = await bookTwo();
  const from = touched.slot.date;
  const changes = { street: '2 Birch Lane', city: 'Salem' };

  const { sequence } = await bookingRow(context, touched.id);
  const listed = (id: string, seen: number) => ({ from, listed: [{ id, sequence: seen }] });
  for (const stale of [listed(kept.id, sequence), listed(touched.id, sequence - 1)]) {
    const refused = await changeStudio(context, actor, changes, {}, stale);
    t.match(refused, { outcome: 'touches', touched: [{ id: touched.id }] });
  }
  const changed = listed(touched.id, sequence);
  t.match(await changeStudio(context, actor, changes, {}, changed), { outcome: 'saved' });
  t.match(await listAuditRows(database, 1), [
    {
      actor,
      action: 'info set',
      details: { changed: ['street', 'city'], address_from: from, changed_bookings: [touched.id] },
    },
  ]);
  const rows = await database.selectFrom('audit_log').select('details').execute();
  t.notMatch(JSON.stringify(rows), /Birch|Salem/);
  const history = (id: string) => readBookingHistory(context, id);
  t.match((await history(touched.id)).at(-1), { what: 'changed', change: 'address', actor });
  t.strictSame(
    (await history(kept.id)).map(({ what }) => what),
    ['held', 'confirmed'],
  );
  t.match(await changeStudio(context, actor, changes, {}, { from }), { changed: [] });
  t.match(await removeAddress(context, actor, kept.slot.date), { outcome: 'not_found' });
  const past = { from: '2020-01-01' };
  t.match(await changeStudio(context, actor, { street: 'x' }, {}, past), { outcome: 'past' });
});

t.test('a process of 2.8 changes the address at once, also after this version did', async (t) => {
  const { touched } = await bookTwo();
  await changeStudio(context, actor, { street: '2 Birch Lane' });
  await database.updateTable('studio').set({ street: '3 Cedar Way' }).execute();
  await context.board.refresh();
  for (const url of [`/checkout/${touched.token}`, '/']) {
    t.match((await app.inject(url)).body, '3 Cedar Way');
  }
});

t.test('pages announce an address only where it is another one than before', async (t) => {
  const { kept, touched } = await bookTwo();
  const { street } = (await context.board.read()).studio;
  const announced = async () => {
    await context.board.refresh();
    const pages = await Promise.all(['/', '/book'].map((url) => app.inject(url)));
    return pages.map(({ body }) => body.match(/sessions are at [\w ]+/g));
  };
  for (const [from, there] of [
    [kept.slot.date, '2 Birch Lane'],
    [touched.slot.date, street],
  ] as const) {
    await changeStudio(context, actor, { street: there }, {}, { from });
  }
  const both = ['sessions are at 2 Birch Lane', `sessions are at ${street}`];
  t.strictSame(await announced(), [both, both]);
  await removeAddress(context, actor, kept.slot.date);
  t.strictSame(await announced(), [null, null]);
});

t.test('the command lists whom it moves, and mails nobody without a yes', async (t) => {
  const { touched } = await bookTwo();
  const set = ['info', 'set', '--street', '2 Birch Lane', '--address-from', touched.slot.date];
  const sequence = async () => (await bookingRow(context, touched.id)).sequence;
  const before = await sequence();
  const refused = await studioOn(context)(...(set as [string]));
  t.match(refused, { code: 4, stderr: /1 session another address, and mail the people/ });
  t.match(refused.stderr, touched.id.slice(0, 8));
  const environment = studioEnvironment(context);
  t.match(await runAnswering(environment, set, ['n']), { code: 4 });
  t.equal(await sequence(), before);
  t.match(await runAnswering(environment, set, ['y']), { code: 0 });
  t.equal(await sequence(), before + 1);
  const remove = ['info', 'address', 'remove', touched.slot.date];
  const removed = await studioOn(context)(...(remove as [string]), '--mail', 'no');
  t.match(removed, { code: 0, stdout: /without a mail: 1 session/ });
  const moved = database.selectFrom('events').select('data').orderBy('position');
  const events = await moved.where('type', '=', 'booking.moved').execute();
  t.match(events.slice(-2), [{ data: { is_quiet: false } }, { data: { is_quiet: true } }]);
});
