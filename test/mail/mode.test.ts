import type { Kysely } from 'kysely';
import t from 'tap';
import { slotStartsAt, type Slot } from '../../src/calendar/slots.js';
import { loadConfig } from '../../src/config.js';
import { closableSlot } from '../../src/domain/booked-slot.js';
import { confirmCheckout, releaseCheckout } from '../../src/domain/checkout.js';
import { placeHold } from '../../src/domain/holds.js';
import { adoptMode, switchMailOff, switchToLink } from '../../src/domain/mode.js';
import { moveCheckout } from '../../src/domain/moves.js';
import { moveForPerson } from '../../src/repositories/booking-moves.js';
import { cancelBooking, confirmBooking } from '../../src/repositories/booking-transitions.js';
import { up as adoptEarlierMode } from '../../src/database/migrations/0017-mode.js';
import { readMailOnSince } from '../../src/repositories/mail-dispatch.js';
import { readMode } from '../../src/repositories/mode.js';
import { bookingRow } from '../support/bookings.js';
import { codeMode, mailOn } from '../support/codes.js';
import { spawnService } from '../support/process.js';
import {
  callerNumber,
  everyOpenSlot,
  holdRequest,
  personNumber,
  someOpenSlots,
} from '../support/requests.js';
import {
  generous,
  secretKey,
  startService,
  type TestService,
  type MailService,
} from '../support/service.js';

const hourMs = 3_600_000;
const timezone = 'America/Los_Angeles';

function startOf({ date, timeSlot }: Slot): number {
  return slotStartsAt(timezone, date, timeSlot).epochMs;
}

function databaseOf({ context }: Pick<TestService, 'context'>): Record<string, string> {
  return { ...generous, DATABASE_URL: context.config.databaseUrl ?? '' };
}

async function statusesOfReminders({ mails }: MailService): Promise<string[]> {
  return (await mails()).filter(({ kind }) => kind === 'reminder').map(({ status }) => status);
}

void t.test(
  'a start without the settings of mail is refused, and every reminder is kept',
  async (t) => {
    const service = await startService(t, generous, { mail: true });
    const slots = (await someOpenSlots(service.context, 9)).slice(6);
    for (const [index, slot] of slots.entries()) await service.book(slot, personNumber(index));
    await service.settle();
    await service.background.stop();
    const environment = { SECRET_KEY: secretKey, DATA_DIR: t.testdir(), ROLE: 'worker' };
    const said = await spawnService(t, { ...databaseOf(service), ...environment }).then(
      () => 'it started',
      (error: Error) => error.message,
    );
    t.match(said, /SMTP_URL and MAIL_FROM.*"studio mail off"/);
    t.notMatch(said, /\n +at /, 'without a stack');
    const again = await startService(t, { ...generous, ...databaseOf(service) }, { mail: true });
    t.strictSame(await statusesOfReminders(again), ['pending', 'pending', 'pending']);
  },
);

void t.test(
  'a process that runs since before mail was on, or codes were, demands them like the others',
  async (t) => {
    const early = await startService(t);
    const { context } = early;
    const [first, second, free] = await someOpenSlots(context, 3);
    if (!first || !second || !free) throw new Error('too few open slots');
    const hold = (slot: typeof first, person: number) =>
      placeHold(context, callerNumber(1), holdRequest(slot, personNumber(person)), null);
    const confirmed = await hold(first, 1);
    const { id } = confirmed.booking;
    await confirmCheckout(context, confirmed.checkoutToken);

    await startService(t, { ...databaseOf(early), ...mailOn });
    const path = `/checkout/${confirmed.checkoutToken}`;
    t.equal(await releaseCheckout(context, confirmed.checkoutToken, 'confirmed'), 'code_needed');
    t.match(await moveCheckout(context, confirmed.checkoutToken, free, 1), {
      outcome: 'code_needed',
    });
    t.match(await bookingRow(context, id), { status: 'confirmed', moves_once_confirmed: 0 });
    t.match((await early.app.inject(path)).body, /send_code/);

    const held = await hold(second, 2);
    await startService(t, { ...databaseOf(early), ...mailOn, CONFIRMATION: 'code' });
    t.equal(await confirmCheckout(context, held.checkoutToken), 'code_needed');
    t.match(await bookingRow(context, held.booking.id), { status: 'pending' });
    const capabilities = await early.app.inject('/api/public/capabilities');
    t.match(capabilities.json(), {
      data: {
        human_confirmation: { proof: 'code', description: /six digits/ },
      },
    });
    t.match((await early.app.inject('/guide.md')).body, /it takes six digits/);
  },
);

void t.test(
  'the statement of a change reads the mode, whatever the process knew before',
  async (t) => {
    const { context } = await startService(t, codeMode);
    const { database } = context;
    const [slot, free] = await someOpenSlots(context, 2);
    if (!slot || !free) throw new Error('too few open slots');
    const { booking } = await placeHold(context, callerNumber(1), holdRequest(slot), null);
    const change = { neededWhile: 'mail_on', browserHash: null } as const;
    const confirm = () =>
      confirmBooking(database, booking.id, { ...change, neededWhile: 'code_on' });
    t.equal(await confirm(), null);
    await switchToLink(context, 'test');
    t.match(await confirm(), { status: 'confirmed', confirmed_via: 'link' });

    const cancel = () =>
      cancelBooking(database, booking.id, 'confirmed', 'person', { proof: change });
    const to = closableSlot(timezone, [], free);
    const move = (sequence: number) =>
      moveForPerson(
        database,
        context.connect,
        { id: booking.id, sequence, to, proof: change },
        { whilePending: 9, onceConfirmed: 9, noticeHours: 0 },
      );
    t.equal(await move(1), null);
    t.equal(await cancel(), null);
    await switchMailOff(context, 'test');
    t.match(await move(1), { sequence: 2 });
    t.match(await cancel(), { status: 'cancelled' });
  },
);

void t.test(
  'switched off, mail stays off in every running process, and reminders that are ahead outlast it',
  async (t) => {
    const service = await startService(t, generous, { mail: true });
    const { context, smtp, background } = service;
    const slots = await everyOpenSlot(context, 12);
    const [early, late] = [slots[3], slots[15]];
    if (early === undefined || late === undefined) throw new Error('too few open slots');
    for (const [index, slot] of [early, late].entries()) {
      await service.book(slot, personNumber(index));
    }
    await service.settle();
    const sentBefore = smtp.received().length;
    t.match(await switchMailOff(context, 'test'), {
      effects: { unsent: 0, unmade: 0, remindersAhead: 2, confirmedAhead: 2 },
    });
    const isDue = startOf(early) - 23 * hourMs;
    await service.shiftClock(isDue - Date.now());
    await service.settle();
    t.strictSame(await statusesOfReminders(service), ['pending', 'pending']);
    await background.sweeper.sweep();
    await service.settle();
    t.strictSame(await statusesOfReminders(service), ['dropped', 'pending']);
    t.equal(smtp.received().length, sentBefore, 'a process with the settings of mail sends none');
    await background.stop();

    const again = await startService(t, { ...generous, ...databaseOf(service) }, { mail: true });
    await again.shiftClock(startOf(late) - 23 * hourMs - Date.now());
    await again.settle();
    await again.background.sweeper.sweep();
    await again.settle();
    t.strictSame(await statusesOfReminders(again), ['dropped', 'sent']);
    const [reminder, ...others] = again.smtp.received();
    t.match((await reminder?.parsed())?.subject, /^Reminder/);
    t.strictSame(others, []);
  },
);

void t.test('what a start records, only the commands take back', async (t) => {
  const service = await startService(t);
  const { context } = service;
  const modes = () => Promise.all([readMode(context.database), context.board.read()]);
  const withSettings = (settings: Record<string, string>) => ({
    ...context,
    config: loadConfig({ SECRET_KEY: secretKey, ...databaseOf(service), ...settings }),
  });
  const code = withSettings({ ...mailOn, CONFIRMATION: 'code' });
  t.match(await modes(), [{ mail: false, confirmation: 'link' }]);
  await adoptMode(code);
  await context.board.refresh();
  const both = { mail: true, confirmation: 'code' };
  t.match(await modes(), [both, { mode: both }]);

  await t.rejects(adoptMode(withSettings(mailOn)), /"studio confirmation link"/);
  await t.rejects(adoptMode(withSettings({})), /"studio confirmation link".*\n.*"studio mail off"/);
  t.match(await switchMailOff(context, 'test'), { outcome: 'code' }, 'codes need mail');
  t.match(await switchToLink(context, 'test'), { outcome: 'done' });
  t.match(await switchToLink(context, 'test'), { outcome: 'link' });
  await adoptMode(withSettings(mailOn));
  t.match(await modes(), [{ mail: true, confirmation: 'link' }]);
  t.match(await switchMailOff(context, 'test'), { outcome: 'done' });
  t.match(await switchMailOff(context, 'test'), { outcome: 'off' });
  await adoptMode(withSettings({}));
  t.match(await modes(), [{ mail: false, confirmation: 'link' }]);
  await adoptMode(code);
  t.match(await modes(), [both]);
});

void t.test(
  'mail that an earlier version has switched on stays on, whatever that version records',
  async (t) => {
    const { context } = await startService(t);
    const { database } = context;
    const since = new Date(context.clock.now()).toISOString();
    await database
      .insertInto('installation')
      .values({ name: 'mail_on_since', value: since })
      .execute();
    await adoptEarlierMode(database as unknown as Kysely<unknown>);
    // As a process of 2.8.2 does that starts without mail.
    await database.deleteFrom('installation').where('name', '=', 'mail_on_since').execute();
    await t.rejects(adoptMode(context), /"studio mail off"/);
    t.equal((await readMailOnSince(context.database))?.toISOString(), since);
  },
);
