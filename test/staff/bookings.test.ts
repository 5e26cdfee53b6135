import { sql } from 'kysely';
import t from 'tap';
import { recordConflicts } from '../../src/domain/studio/conflicts.js';
import type { Slot } from '../../src/schedule/slots.js';
import { bookingRow } from '../support/bookings.js';
import { insertCalendar, setBusy } from '../support/busy-calendars.js';
import { confirmCheckout } from '../support/checkouts.js';
import { shiftDatabaseClock } from '../support/clock.js';
import { close, hold } from '../support/holds.js';
import { someOpenSlots } from '../support/requests.js';
import { startService } from '../support/service.js';
import { showBooking, studioOn } from '../support/studio.js';

interface Shown {
  id: string;
}

const { app, context } = await startService(t);
const studio = studioOn(context);

async function addWanda({ date, timeSlot }: Slot): Promise<Shown> {
  const person = ['--name', 'Wanda', '--email', 'wanda@example.com', '--phone', '5035550142'];
  const run = await studio(`bookings add ${date} --json`, timeSlot, ...person);
  return run.json<{ added: Shown }>().added;
}

/** The session began a minute ago. */
async function begin(id: string): Promise<void> {
  const begun = `
    update bookings set starts_at = booking_now() - interval '1 minute', may_overlap = true
    where id = $1`;
  await context.pool.query(begun, [id]);
}

void t.test(
  'bookings move prints the old and the new slot; a refused one says why and changes nothing',
  async (t) => {
    const [own, free, taken, gone] = await someOpenSlots(context, 4);
    const { booking, token } = await hold(context, own.date, own.timeSlot);
    await confirmCheckout(context, token);
    const other = await hold(context, taken.date, taken.timeSlot);
    const cancelled = await hold(context, gone.date, gone.timeSlot);
    await studio(`bookings cancel ${cancelled.booking.id} --yes`);
    const move = (id: string, { date, timeSlot }: Slot) =>
      studio(`bookings move ${id} ${date} --yes`, timeSlot);

    for (const [id, slot, why] of [
      [booking.id, own, /is on .* already; nothing was changed/],
      [booking.id, taken, /is taken; nothing was changed/],
      [booking.id, { date: '2020-01-07', timeSlot: '1:00 PM' }, /is over; nothing was changed/],
      [cancelled.booking.id, free, /is already cancelled; nothing was changed/],
    ] as const) {
      t.match(await move(id, slot), { code: 4, stdout: '', stderr: why });
    }
    t.match(await showBooking(studio, booking.id), { date: own.date, time_slot: own.timeSlot });

    const moved = await move(booking.id.slice(0, 8), free);
    t.match(moved, { code: 0, stderr: '' });
    t.match(moved.stdout, `Moved: from ${booking.label} to `);
    t.equal(moved.stdout.split('\n').length, 2, 'and no more');
    await close(context, gone.date);
    t.match(await move(booking.id, gone), { code: 0, stdout: /\nThe studio is closed then\.\n/ });
    const outside = { code: 0, stdout: /\nThe weekly schedule has no session then\.\n/ };
    t.match(await move(other.booking.id, { date: '2999-06-03', timeSlot: '5:00 PM' }), outside);
  },
);

void t.test(
  'bookings add stores the person as a hold does, and prints the link of a page that shows the session',
  async (t) => {
    const [slot, closed] = await someOpenSlots(context, 2);
    const { date, timeSlot } = slot;
    const add = (on: string, at: string, ...person: string[]) =>
      studio(`bookings add ${on}`, at, '--name', ...person);
    const contact = ['--email', 'ada@example.com', '--phone', '+1 (503) 555-0142'];
    const about = ['--pronouns', ' ', '--idea', ' a heron '];
    const run = await add(date, timeSlot, ' Ada Park ', ...contact, ...about);
    t.match(run, { code: 0, stderr: '' });
    t.match(run.stdout, /^Added: .*, for Ada Park \([0-9a-f]{8}\)\.\n/);
    const [, id = ''] = /\(([0-9a-f]{8})\)/.exec(run.stdout) ?? [];
    t.match(await showBooking(studio, id), {
      ...{ status: 'confirmed', date, time_slot: timeSlot, channel: 'studio' },
      ...{ confirmed_via: 'studio', name: 'Ada Park', email: 'ada@example.com' },
      ...{ phone: '5035550142', pronouns: null, idea: 'a heron' },
    });
    const [, url = ''] = /page: (\S+)\n/.exec(run.stdout) ?? [];
    t.ok(url.startsWith(`${context.config.publicBaseUrl}/checkout/`));
    const page = await app.inject(new URL(url).pathname);
    t.match(page.body, 'Your session is confirmed');

    const refused = (why: RegExp) => ({ code: 4, stdout: '', stderr: why });
    t.match(await add(date, timeSlot, 'Grace'), refused(/is taken; nothing was changed/));
    t.match(await add('2020-01-07', '1pm', 'Grace'), refused(/is over; nothing was changed/));
    await close(context, closed.date);
    const added = await add(closed.date, closed.timeSlot, 'X');
    t.match(added, { code: 0, stdout: /\nThe studio is closed then\.\n/ });

    const stranger = studioOn({ config: { ...context.config, secretKey: 'x'.repeat(40) } });
    const other = await stranger('bookings add 2999-06-01 1pm --name Grace');
    t.match(other, { code: 1, stdout: '', stderr: /SECRET_KEY is not the key/ });
  },
);

void t.test(
  'bookings correct says what it corrected, and prints the link that only the studio can hand over',
  async (t) => {
    const [slot, other] = await someOpenSlots(context, 2);
    const { id } = await addWanda(slot);
    const correct = (of: string, ...given: string[]) => studio(`bookings correct ${of}`, ...given);
    const { label } = await bookingRow(context, id);
    const named = await correct(id.slice(0, 8), '--name', 'Wanda Park', '--idea', '');
    const line = `Corrected: name (${label}, ${id.slice(0, 8)}).\n`;
    t.match(named, { code: 0, stderr: '', stdout: line });
    t.equal(named.stdout, line, 'the person is told nothing');
    const moved = await correct(id, '--email', 'wanda.park@example.com', '--phone', '');
    const [first, second, third] = moved.stdout.split('\n');
    t.match(first, 'Corrected: e-mail address, phone (');
    const [, url = ''] =
      /^The former link is void\. The person's new page: (\S+)$/.exec(second!) ?? [];
    t.match((await app.inject(new URL(url).pathname)).body, 'Your session is confirmed');
    t.match(third, /never mailed again; a calendar entry that it has stays there/);
    t.match(await correct(id, '--phone', ''), { code: 0, stdout: /^Nothing to change: / });
    const details = { name: 'Wanda Park', email: 'wanda.park@example.com', phone: null };
    t.match(await showBooking(studio, id), details);
    const { history } = (await showBooking(studio, id)) as { history: { what: string }[] };
    t.match(history.slice(1), [{ what: 'changed', by: 'studio' }, { what: 'changed' }]);

    const { booking } = await hold(context, other.date, other.timeSlot);
    const refused = (why: RegExp) => ({ code: 4, stdout: '', stderr: why });
    t.match(await correct(booking.id, '--email', ''), refused(/keeps an e-mail address/));
    await studio(`bookings cancel ${booking.id} --yes`);
    t.match(await correct(booking.id, '--name', 'Eve'), refused(/is already cancelled/));
    await studio(`bookings forget ${id} --cancel-bookings --yes`);
    t.match(await correct(id, '--name', 'Eve'), refused(/is erased; nothing was changed/));
  },
);

void t.test('bookings no-show is refused where nobody can have been missed', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  const { booking, token } = await hold(context, slot.date, slot.timeSlot);
  const noShow = (...args: string[]) => studio(`bookings no-show ${booking.id}`, ...args);
  t.match(await noShow(), { code: 4, stderr: /is pending, and only a confirmed session/ });
  await confirmCheckout(context, token);
  t.match(await noShow(), { code: 4, stderr: /has not begun; nothing was changed/ });
  await begin(booking.id);
  t.match(await noShow('--undo'), { code: 4, stderr: /is not recorded as a no-show/ });
  t.match(await noShow(), { code: 0, stdout: `Recorded: no-show, ${booking.label}.\n` });
  t.match(await noShow(), { code: 4, stderr: /is already recorded as a no-show/ });
  t.match(await noShow('--undo'), { code: 0, stdout: `No longer a no-show: ${booking.label}.\n` });
  t.match(await showBooking(studio, booking.id), { no_show_at: null });
});

void t.test(
  'bookings list names the channel, bookings show also confirmation and changes, and events tail a move',
  async (t) => {
    const [one, two, three] = await someOpenSlots(context, 3);
    const { booking, token } = await hold(context, one.date, one.timeSlot);
    await confirmCheckout(context, token);
    const { id } = await addWanda(two);
    await studio(`bookings move ${id} ${three.date} --yes`, three.timeSlot);
    await begin(id);
    await studio(`bookings no-show ${id}`);
    await studio(`bookings cancel ${id} --yes`, '--reason', 'The artist is ill');

    const listed = (await studio('bookings list')).stdout;
    const hours = /\d:00( AM)? – \d:00 [AP]M/.source;
    const row = new RegExp(` ${hours} +confirmed .* rest\n`);
    for (const line of [/^ID .* CHANNEL\n/, row, / studio\n/]) t.match(listed, line);
    const when = new RegExp(`^When +\\w+, .* \\d{4}, ${hours} \\(America`, 'm');
    t.match((await studio(`bookings show ${booking.id}`)).stdout, when);
    const { stdout } = await studio(`bookings show ${id}`);
    for (const line of [
      /^Channel +studio$/m,
      /^Added +\d/m,
      /^Confirmed +\S+ \S+, by the studio$/m,
      /^Moved +\d/m,
      /^No-show +recorded \d/m,
      /^Reason +The artist is ill$/m,
    ]) {
      t.match(stdout, line);
    }
    const data = {
      ...{ channel: 'studio', confirmed_via: 'studio', moved_at: String, no_show_at: String },
      cancellation_reason: 'The artist is ill',
    };
    t.match(await showBooking(studio, id), data);
    const { bookings } = (await studio('bookings list --json')).json<{ bookings: Shown[] }>();
    t.match(
      bookings.find((each) => each.id === id),
      data,
    );

    // As a process of the version before confirms.
    await context.pool.query('update bookings set confirmed_via = null where id = $1', [
      booking.id,
    ]);
    t.match(await showBooking(studio, booking.id), { channel: 'rest', confirmed_via: 'link' });
    const tail = (await studio('events tail --no-follow')).stdout;
    const from = `, from ${two.date} at ${two.timeSlot} (${id.slice(0, 8)})\n`;
    t.ok(tail.includes(from), tail);
  },
);

void t.test(
  'bookings conflicts lists who and when, and which calendar is busy, one line for each interval; the event log has no person',
  async (t) => {
    t.match(await studio('bookings conflicts'), { code: 0, stdout: 'No conflicts.\n' });
    const [slot] = await someOpenSlots(context, 1);
    const booking = await bookingRow(context, (await addWanda(slot)).id);
    const calendar_id = await insertCalendar(context, { label: 'Ada’s phone' });
    const [from, to, later, days] = [0, 90, 120, 48 * 60].map(
      (minutes) => booking.starts_at.getTime() + minutes * 60_000,
    ) as [number, number, number, number];
    await setBusy(context, calendar_id, [from, to], [later, days]);
    const { stdout } = await studio('bookings conflicts');
    const [headings, first, second, ...others] = stdout.trimEnd().split('\n');
    t.match(headings, /^ID +DATE +SESSION +NAME +PHONE +E-MAIL +CALENDAR +BUSY$/);
    const [id, { date }] = [booking.id.slice(0, 8), booking];
    const who = 'Wanda +5035550142 +wanda@example\\.com +Ada’s phone';
    const session = booking.time_slot.replace(/( [AP]M)$/, '( [AP]M)? – \\d+:00 [AP]M');
    const line = `^${id} +${date} +${session} +${who} +${date}`;
    t.match(first, new RegExp(`${line} \\d\\d:00 to \\d\\d:30$`));
    t.match(second, new RegExp(`${line} \\d\\d:00 to \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d$`));
    t.strictSame(others, []);
    const [starts_at, ends_at] = [new Date(from).toISOString(), new Date(to).toISOString()];
    const busy = [{ calendar_id, calendar: 'Ada’s phone', starts_at, ends_at }, { calendar_id }];
    t.match((await studio('bookings conflicts --json')).json(), {
      conflicts: [{ booking: { id: booking.id, name: 'Wanda', status: 'confirmed' }, busy }],
    });

    await context.database.transaction().execute(recordConflicts);
    const tail = (await studio('events tail --no-follow --limit 1')).stdout;
    t.ok(tail.includes(`booking.conflict     ${booking.label} (${id})`), tail);
    t.notMatch(tail, /Wanda|Ada’s phone/);
  },
);

void t.test('a hold that lapses while it is being cancelled is reported as expired', async (t) => {
  const [slot] = await someOpenSlots(context, 1);
  const { booking } = await hold(context, slot.date, slot.timeSlot);
  t.teardown(() => shiftDatabaseClock(context.database, 0));
  // From the second statement of a transaction on, the clock is an hour ahead: the hold lapses
  // after the command has read and locked it.
  await sql`
    create or replace function booking_now() returns timestamptz language sql volatile as $$
      select date_trunc('milliseconds', clock_timestamp()) +
        case when statement_timestamp() > transaction_timestamp()
          then interval '1 hour' else interval '0' end $$`.execute(context.database);
  const cancelled = await studio(`bookings cancel ${booking.id} --yes`);
  t.match(cancelled, { code: 4, stdout: '', stderr: /is already expired; nothing was changed/ });
});
