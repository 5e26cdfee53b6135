import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import type { Slot } from '../../src/schedule/slots.js';
import { everyRow } from '../support/backup.js';
import { temporaryFolder } from '../support/embedded.js';
import { openLiveStream } from '../support/live-stream.js';
import { connectClient } from '../support/mcp.js';
import { someOpenSlots } from '../support/requests.js';
import { showBooking, studioOn } from '../support/studio.js';
import { startWebhookService, verify } from '../support/webhooks.js';

const begin = `update bookings set may_overlap = true, starts_at = booking_now() - interval '1 minute'`;
const reason = 'a reason that nobody else may read';

const service = await startWebhookService(t);
const { app, context, logLines, url: base } = service;
const studio = studioOn(context);

async function add({ date, timeSlot }: Slot, ...options: string[]) {
  const run = await studio(`bookings add ${date} --name Wanda --json`, timeSlot, ...options);
  return run.json<{ added: { id: string }; checkout_url: string }>();
}

void t.test(
  'the audit and the events have ids and slots of what the studio does, and never name, contact, idea or reason; the log has nothing',
  async (t) => {
    const [one, two] = await someOpenSlots(context, 2);
    const secrets = {
      name: 'Wanda',
      email: 'wanda@personal.example',
      phone: '5035559876',
      idea: 'a very private idea',
      reason,
      word: 'words for one page',
    };
    const { email, phone, idea } = secrets;
    const details = ['--email', email, '--phone', phone, '--idea', idea];
    const { added, checkout_url: url } = await add(one!, ...details);
    const booking_id = added.id;
    await studio(`bookings move ${booking_id} ${two!.date} --yes`, two!.timeSlot);
    await context.pool.query(begin);
    await studio(`bookings no-show ${booking_id}`);
    await studio(`bookings cancel ${booking_id} --yes`, '--reason', reason, '--word', secrets.word);
    const slotOf = ({ date, timeSlot }: Slot) => ({ date, time_slot: timeSlot });
    const [from, to] = [slotOf(one!), slotOf(two!)];
    const actor = /.@./;
    t.match((await studio('audit list --json')).json(), [
      { actor, details: { booking_id, was: 'confirmed' } },
      { actor, details: { booking_id, undone: false } },
      { actor, details: { booking_id, from, to } },
      { actor, details: { booking_id, ...from } },
    ]);

    const countIn = (text: string, wanted: string) => text.split(wanted).length - 1;
    const rowsOf = async () => JSON.stringify(await everyRow(context.config.databaseUrl!));
    const rows = await rowsOf();
    for (const [column, secret] of Object.entries(secrets)) {
      t.equal(countIn(rows, secret), 1, `${column} is nowhere but in its column`);
      t.notMatch(logLines.join(''), secret);
    }
    t.equal(countIn(rows, url.split('/').at(-1)!), 0, 'the link is stored encrypted');
    t.match(await studio(`bookings forget ${email} --yes`), { code: 0 });
    const left = await rowsOf();
    for (const secret of Object.values(secrets)) t.equal(countIn(left, secret), 0);
  },
);

void t.test(
  'bookings forget with an id erases that booking alone, and not while it is upcoming unless it is cancelled',
  async (t) => {
    const [one, two] = await someOpenSlots(context, 2);
    const { added } = await add(one!);
    const { added: other } = await add(two!);
    const forget = (...args: string[]) =>
      studio(`bookings forget ${added.id.slice(0, 8)} --yes`, ...args);
    t.match(await forget(), { code: 4, stderr: /upcoming: .*--cancel-bookings/ });
    t.match(await showBooking(studio, added.id), { name: 'Wanda', status: 'confirmed' });
    const forgotten = await forget('--cancel-bookings', '--json');
    t.match(forgotten.json(), { erased: 1, cancelled: [added.id] });
    t.match(await showBooking(studio, added.id), { name: null, status: 'cancelled' });
    t.match(await showBooking(studio, other.id), { name: 'Wanda', status: 'confirmed' });
    t.match(await forget(), { code: 3, stderr: /There is no data of the booking on / });
    const page = join(await temporaryFolder(t), 'copy.html');
    t.equal((await studio(`bookings copy nobody@example.com --page ${page}`)).code, 3);
    const copied = await studio(`bookings copy ${added.id} --page ${page}`);
    const again = await studio(`bookings copy ${added.id} --page ${page}`);
    t.match(again, { code: 1, stderr: /copy\.html cannot be used \(EEXIST\)/ }, 'not audited');
    t.match(copied.stdout, /: 1 booking, 0 API keys\.\nErased: the personal data of 1 booking\./);
    t.equal((await stat(page)).mode & 0o777, 0o600, 'for its owner only');
    t.match((await studio('audit list --json')).json(), [
      { action: 'bookings copy', details: { booking_id: added.id, bookings: 1, api_keys: 0 } },
      { action: 'bookings forget', details: { booking_id: added.id, bookings: 1 } },
    ]);
  },
);

void t.test(
  'an added booking reaches webhooks as confirmed, and nothing public says how it came, how it was confirmed, that its person did not come, or why it was cancelled',
  async (t) => {
    const { dispatcher } = await service.startBackground();
    const shop = await service.subscriber(t);
    const stream = await openLiveStream(t, base);
    const tools = await connectClient(t, base);
    const [one, two] = await someOpenSlots(context, 2);

    const { added, checkout_url: link } = await add(one!, '--phone', '5035559876');
    const { pathname } = new URL(link);
    const delivery = await shop.request(1);
    t.match(verify(shop, delivery), { type: 'booking.confirmed', data: { id: added.id } });
    await studio(`bookings move ${added.id} ${two!.date} --yes`, two!.timeSlot);

    /** All that anyone may read about the booking. */
    const publicViews = async () => {
      const paths = [`/api/public/bookings/${added.id}`, pathname, `${pathname}/calendar.ics`];
      const texts: string[] = [];
      for (const path of paths) {
        const { statusCode, body } = await app.inject(path);
        t.equal(statusCode, 200, path);
        texts.push(body);
      }
      const state = (await app.inject(`${pathname}/state`)).json<{ data: { status: string } }>();
      const tool = await tools.call('get_booking_status', { booking_id: added.id });
      return [...texts, state.data.status, JSON.stringify(tool)];
    };
    await context.pool.query(begin);
    const begun = await publicViews();
    await studio(`bookings no-show ${added.id}`);
    t.strictSame(await publicViews(), begun, 'a no-show changes nothing public');
    await studio(`bookings cancel ${added.id} --yes`, '--reason', reason);
    t.match(await showBooking(studio, added.id), {
      ...{ channel: 'studio', confirmed_via: 'studio', no_show_at: String },
      cancellation_reason: reason,
    });
    const shown = await publicViews();
    await stream.next(({ event }) => event === 'pulse');
    await context.pool.query(
      `update bookings set channel = null, confirmed_via = null, no_show_at = null,
        cancellation_reason = null`,
    );
    t.strictSame(await publicViews(), shown, 'all is the same without these columns');
    const sent = [delivery.body.toString(), JSON.stringify(stream.events), ...begun, ...shown];
    for (const text of sent) {
      t.notMatch(text, /channel|confirmed_via|no.?show|did not come|cancellation_reason/i);
      t.notMatch(text, reason);
    }
    t.notMatch(logLines.join(''), reason);

    await dispatcher.dispatchAll();
    const { rowCount } = await context.pool.query('select from webhook_deliveries');
    t.equal(rowCount, 1, 'webhooks receive neither the move nor the cancellation');
  },
);
