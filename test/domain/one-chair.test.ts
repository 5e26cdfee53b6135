import type { LightMyRequestResponse } from 'fastify';
import t from 'tap';
import { type Caller, personHashesOf } from '../../src/access/caller.js';
import type { Context } from '../../src/context.js';
import { holdAgain } from '../../src/domain/booking/checkout.js';
import { placeHold } from '../../src/domain/booking/holds.js';
import { isLive, type Slot } from '../../src/schedule/slots.js';
import { agent, newKey } from '../support/agents.js';
import { addArtists } from '../support/artists.js';
import { bookForm, postBook, tokenOf } from '../support/book-form.js';
import { everyBooking } from '../support/book-pages.js';
import { bookingRow } from '../support/bookings.js';
import { newPerson, place, refusal, someSlots } from '../support/chairs.js';
import { confirmCheckout, moveCheckout, openedCheckout } from '../support/checkouts.js';
import { codeMode, holdWithBrowser, mailOn } from '../support/codes.js';
import { pressOn } from '../support/forms.js';
import { holdForPerson } from '../support/holds.js';
import { connectClient, refusalOf } from '../support/mcp.js';
import { callerNumber, holdRequest, someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';

const one = await startService(t, generous);
const byLink = await startService(t, { ...generous, ...mailOn }, { isReachable: true });
const byCode = await startService(t, codeMode, { isReachable: true });
await addArtists(byLink.context, 4);
await addArtists(byCode.context, 4);

const liveOf = async (context: Context, { email }: { email: string }) =>
  (await everyBooking(context)).filter((each) => each.email === email && isLive(each.status));

t.test(
  'a hold that is sent twice seats its person once, by REST, tool and two forms, with one artist and with four',
  async (t) => {
    for (const service of [one, byLink, byCode]) {
      const { app, context } = service;
      const isOne = service === one;
      const [first, second, third] = await someSlots(service, 3);
      const told = isOne
        ? /is held at the moment/
        : /You have placed a session .*: .* with \S+\. One/;

      const ida = newPerson();
      const rest = agent(app, { address: '192.0.2.50' });
      t.equal((await rest.hold(first, undefined, ida)).statusCode, 201);
      const twin = await rest.hold(first, undefined, ida);
      const { error } = twin.json<{ error: { code: string; message: string } }>();
      t.match(error, { code: 'slot_unavailable', message: told });
      t.equal((await liveOf(context, ida)).length, 1);

      const eva = newPerson();
      const pressed = await postBook(service, bookForm(second, eva));
      t.equal(pressed.statusCode, 303);
      const tab = await postBook(service, bookForm(second, eva));
      t.equal(tab.statusCode, 409);
      const said = isOne ? /no longer free/ : /already have a session[^<]* with/;
      t.ok(said.test(tab.body), 'it says why');
      t.equal((await liveOf(context, eva)).length, 1);

      if (isOne) continue;
      const url = context.config.publicBaseUrl;
      const client = await connectClient(t, url);
      const una = newPerson();
      const args = { ...holdRequest(third, una) };
      t.not((await client.call('hold_slot', args)).isError, true);
      const again = await client.call('hold_slot', args);
      t.match(refusalOf(again), { code: 'slot_unavailable', message: told });
      t.equal((await liveOf(context, una)).length, 1);
    }
  },
);

t.test('forty twins at once seat their person once', async (t) => {
  const { context } = byLink;
  const [slot] = await someSlots(byLink, 1);
  const ida = newPerson();
  const all = await Promise.all(
    Array.from({ length: 40 }, () => refusal(place(context, slot, ida))),
  );
  t.equal(all.filter((each) => each === 'held').length, 1);
  t.equal((await liveOf(context, ida)).length, 1);
});

t.test('a family on one mailbox or telephone is several people', async (t) => {
  for (const service of [byLink, byCode]) {
    const { context } = service;
    const [slot] = await someSlots(service, 1);
    const ida = newPerson();
    await place(context, slot, ida);
    t.equal(await refusal(place(context, slot, { ...ida, name: 'Ola Lind' })), 'held');
    const folded = { ...ida, name: ` ${ida.name.toUpperCase().replace(' ', '  ')} ` };
    const tagged = { ...folded, email: ida.email.replace('@', '+ink@') };
    t.match(await refusal(place(context, slot, tagged)), { code: 'slot_unavailable' });
  }
});

t.test('a telephone names a person by the link alone: a code proves a mailbox', async (t) => {
  for (const service of [byLink, byCode]) {
    const { context } = service;
    const [slot] = await someSlots(service, 1);
    const ida = newPerson();
    await place(context, slot, ida);
    const other = refusal(place(context, slot, { ...ida, email: `other.${ida.email}` }));
    const isByCode = context === byCode.context;
    t.match(await other, isByCode ? /held/ : { code: 'slot_unavailable' });
  }
});

t.test('a caller is a key, a network or the person of a platform', async (t) => {
  const { context } = byLink;
  const { keyring } = context;
  const platform = { name: 'claude', ...unlimited };
  const ofPlatform = (subject: string, at: number): Caller => ({
    ...callerNumber(at),
    platform,
    personHashes: personHashesOf(keyring, { platform }, subject),
  });
  const { id: apiKeyId } = await newKey(byLink.app);
  const pairs: [what: string, one: Caller, other: Caller, isSame: boolean][] = [
    ['a key on two networks', keyed(apiKeyId, 21), keyed(apiKeyId, 22), true],
    ['a key and none on one network', keyed(apiKeyId, 23), callerNumber(23), true],
    ['one person at a platform', ofPlatform('a', 24), ofPlatform('a', 25), true],
    ['two people at a platform', ofPlatform('a', 26), ofPlatform('b', 26), false],
    [
      'a platform that names nobody',
      { ...ofPlatform('', 27), personHashes: null },
      callerNumber(27),
      false,
    ],
  ];
  for (const [what, one, other, isSame] of pairs) {
    const [slot] = await someSlots(byLink, 1);
    const request = holdRequest(slot, newPerson());
    await placeHold(context, one, request, null);
    const placed = await refusal(placeHold(context, other, request, null));
    t.equal(placed === 'held', !isSame, what);
  }
});

function keyed(apiKeyId: string, at: number): Caller {
  return { ...callerNumber(at), apiKeyId };
}

const unlimited = {
  readsPerMinute: 1_000,
  holdsPerHour: 1_000,
  liveBookings: 1_000,
  pendingHoldsPercent: 100,
};

/** What a stranger gets who holds a time with somebody's details, but for what differs by chance. */
function publicly({ statusCode, headers, json }: LightMyRequestResponse) {
  const text = JSON.stringify(json());
  return {
    statusCode,
    names: Object.keys(headers).sort(),
    body: text
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')
      .replaceAll(/checkout\/[\w-]{43}/g, 'link')
      .replaceAll(/\d\d:\d\d:\d\d\.\d{3}Z/g, 'now')
      .replaceAll(/with \w+/g, 'with somebody')
      .replaceAll(/"name":"\w+"/g, 'somebody')
      .replaceAll(/until [\d:]+ [AP]M/g, 'until then'),
  };
}

t.test('a stranger cannot tell busy from free by any answer', async (t) => {
  for (const service of [byLink, byCode]) {
    const { app, context } = service;
    const [slot] = await someSlots(service, 1);
    const [busy, free] = [newPerson(), newPerson()];
    const held = await holdWithBrowser(service, busy, slot);
    if (service === byCode) {
      await held.ask();
      await held.press('confirm', await held.code());
    } else {
      await confirmCheckout(context, held.token);
    }
    t.match(await held.row(), { status: 'confirmed' });
    const stranger = agent(app, { address: '203.0.113.9' });
    const [one, other] = [
      await stranger.hold(slot, undefined, busy),
      await stranger.hold(slot, undefined, free),
    ];
    t.equal(one.statusCode, 201);
    t.strictSame(publicly(one), publicly(other));
    for (const answer of [one, other]) {
      const { checkout_url: url } = answer.json<{ data: { checkout_url: string } }>().data;
      const token = url.slice(-43);
      const confirmed = await confirmCheckout(context, token);
      t.equal(confirmed, service === byCode ? 'code_needed' : 'done', 'of both the same');
    }
  }
});

t.test('two callers with one person’s details: the code decides who is seated', async (t) => {
  const [slot, other] = await someSlots(byCode, 2);
  const ida = newPerson();
  const first = await holdWithBrowser(byCode, ida, slot);
  t.equal(await refusal(place(byCode.context, slot, ida, 7)), 'held');
  await first.ask();
  t.equal((await first.press('confirm', await first.code())).statusCode, 303);

  const second = await holdWithBrowser(byCode, newPerson(), slot);
  await byCode.context.database
    .updateTable('bookings')
    .set({ name: ida.name, email: ida.email.toUpperCase(), caller_network_hash: Buffer.alloc(32) })
    .where('id', '=', second.id)
    .execute();
  await second.ask();
  const refused = await second.press('confirm', await second.code());
  t.equal(refused.statusCode, 409);
  t.ok(/already have a session at that time: [^<]* with/.test(refused.body));
  t.match(await second.row(), { status: 'pending' });
  const moved = await moveCheckout(byCode.context, second.token, other, 0);
  t.match(moved, { outcome: 'done' }, 'it can be moved away');
  t.equal((await second.press('confirm', await second.code(), '1')).statusCode, 303);
  t.match(await second.row(), { status: 'confirmed' }, 'its code was not spent');
});

t.test('neither a move nor a switch of artist seats a person twice', async (t) => {
  const { context } = byLink;
  const [slot, next] = await someSlots(byLink, 2);
  const ida = newPerson();
  const first = await holdForPerson(byLink, ida, slot);
  const second = await holdForPerson(byLink, ida, next);
  const { artists } = await context.board.read();
  const { artist_id: own } = await bookingRow(context, first.id);
  const other = artists.find(({ id }) => id !== own)!;
  const to = { ...slot, artistId: other.id };
  t.match(await moveCheckout(context, second.token, to, 0), {
    outcome: 'elsewhere',
    elsewhere: { artistName: String },
  });
  t.match(await bookingRow(context, second.id), { sequence: 0 });
  const path = `/checkout/${second.token}/move`;
  const times = await byLink.app.inject(`${path}?artist=`);
  const link = ({ date, timeSlot }: Slot) =>
    `date=${date}&amp;time_slot=${encodeURIComponent(timeSlot).replace('%20', '+')}`;
  const [free] = await someOpenSlots(context, 60).then((all) => all.slice(-1) as [Slot]);
  t.ok(times.body.includes(link(free)), 'others are offered');
  t.notOk(times.body.includes(link(slot)), 'that is not');
  const fields = { date: slot.date, time_slot: slot.timeSlot, artist: other.slug, sequence: '0' };
  const pressed = await pressOn(byLink, path, 'move', { fields });
  t.equal(pressed.statusCode, 409);
  t.ok(pressed.body.includes('already have a session at that time'));

  // Its own place does not count.
  t.match(await moveCheckout(context, first.token, to, 0), { outcome: 'done' });
  t.match(await bookingRow(context, first.id), { artist_id: other.id });
});

t.test(
  'lapsed and replaced holds do not count, and what is held again counts for its first caller',
  async (t) => {
    const { context } = byLink;
    const [slot] = await someSlots(byLink, 1);
    const ida = newPerson();
    const { booking, checkoutToken } = await place(context, slot, ida);
    await context.database
      .updateTable('bookings')
      .set({ created_at: new Date(0), expires_at: new Date(1) })
      .where('id', '=', booking.id)
      .execute();
    await context.board.refresh();
    const agents = await place(context, slot, ida);
    const lapsed = await openedCheckout(context, checkoutToken);
    t.match(await refusal(holdAgain(context, callerNumber(9), lapsed)), {
      ownSession: { artistName: String },
    });
    t.match(await bookingRow(context, agents.booking.id), { status: 'pending' });

    const form = bookForm(slot, newPerson());
    const held = await postBook(byLink, form);
    const replacing = { ...form, nonce: crypto.randomUUID(), action: 'replace', idea: 'A heron' };
    const replaced = await postBook(byLink, replacing, { cookie: tokenOf(held) });
    t.match(replaced, { statusCode: 303 });
  },
);
