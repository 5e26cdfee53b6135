import t from 'tap';
import { loadConfig } from '../../src/config/config.js';
import { bookedSlot } from '../../src/domain/booking/booked-slot.js';
import { placeHold } from '../../src/domain/booking/holds.js';
import { adoptMode, switchMailOff, switchToLink } from '../../src/domain/studio/mode.js';
import { moveForPerson } from '../../src/repositories/booking-moves.js';
import { cancelBooking, confirmBooking } from '../../src/repositories/booking-transitions.js';
import { readMode } from '../../src/repositories/installation.js';
import { slotStartsAt, type Slot } from '../../src/schedule/slots.js';
import { bookingRow, timesIn } from '../support/bookings.js';
import { confirmCheckout, moveCheckout, releaseCheckout } from '../support/checkouts.js';
import { mailOn } from '../support/codes.js';
import {
  callerNumber,
  everyOpenSlot,
  holdRequest,
  personNumber,
  someOpenSlots,
} from '../support/requests.js';
import { generous, type MailService, secretKey, startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';
import { startWholeService } from '../support/whole-service.js';

const hourMs = 3_600_000;
const timezone = 'America/Los_Angeles';

/** A process that has started without mail. */
const { app, context } = await startService(t);
const { database, config } = context;
const environment = { DATABASE_URL: config.databaseUrl!, SECRET_KEY: secretKey };
const codeOn = { ...mailOn, CONFIRMATION: 'code' };

t.beforeEach(async () => {
  await startOver(context);
  await database.deleteFrom('installation').where('name', 'in', ['mail_on', 'code_on']).execute();
  await context.board.refresh();
});

/** Records what another process with these settings does when it starts. */
async function startOther(settings: Record<string, string>): Promise<void> {
  await adoptMode({ database, config: loadConfig({ ...environment, ...settings }) });
  await context.board.refresh();
}

function hold(slot: Slot, person = 1) {
  return placeHold(context, callerNumber(1), holdRequest(slot, personNumber(person)), null);
}

t.test(
  'a process that runs since before mail was on, or codes were, demands them like the others',
  async (t) => {
    const [first, second, free] = await someOpenSlots(context, 3);
    const { booking, checkoutToken: token } = await hold(first!);
    await confirmCheckout(context, token);

    await startOther(mailOn);
    t.equal(await releaseCheckout(context, token, 'confirmed'), 'code_needed');
    t.match(await moveCheckout(context, token, free!, 1), { outcome: 'code_needed' });
    t.match(await bookingRow(context, booking.id), {
      status: 'confirmed',
      moves_once_confirmed: 0,
    });
    t.match((await app.inject(`/checkout/${token}`)).body, /send_code/);

    const held = await hold(second!, 2);
    t.equal(await releaseCheckout(context, held.checkoutToken, 'confirmed'), 'done');
    await startOther(codeOn);
    t.equal(await confirmCheckout(context, held.checkoutToken), 'code_needed');
    t.match(await bookingRow(context, held.booking.id), { status: 'pending' });
    const capabilities = await app.inject('/api/public/capabilities');
    t.match(capabilities.json(), {
      data: { human_confirmation: { proof: 'code', description: /six digits/ } },
    });
    t.match((await app.inject('/guide.md')).body, /it takes six digits/);
    const released = await releaseCheckout(context, held.checkoutToken, 'pending');
    t.equal(released, 'done', 'releasing a hold needs no code');
  },
);

t.test('the statement of a change reads the mode, whatever the process knew before', async (t) => {
  await startOther(codeOn);
  const [slot, free] = await someOpenSlots(context, 2);
  const {
    booking: { id },
  } = await hold(slot!);
  const change = { modeNeedingCode: 'mail_on', browserHash: null } as const;
  const confirm = () => confirmBooking(database, id, { ...change, modeNeedingCode: 'code_on' });
  t.equal(await confirm(), null);
  await switchToLink(context, 'test');
  t.match(await confirm(), { status: 'confirmed', confirmed_via: 'link' });

  const cancel = () => cancelBooking(database, id, 'confirmed', 'person', { proof: change });
  const move = () =>
    moveForPerson(
      database,
      context.connect,
      {
        id,
        sequence: 1,
        to: bookedSlot(timesIn(timezone), free!),
        proof: change,
      },
      { whilePending: 9, onceConfirmed: 9, noticeHours: 0 },
    );
  t.equal(await move(), null);
  t.equal(await cancel(), null);
  await switchMailOff(context, 'test');
  t.match(await move(), { sequence: 2 });
  t.match(await cancel(), { status: 'cancelled' });
});

t.test('what a start records, only the commands take back', async (t) => {
  const modes = () => Promise.all([readMode(database), context.board.read()]);
  t.match(await modes(), [{ mail: false, confirmation: 'link' }]);
  await startOther(codeOn);
  const both = { mail: true, confirmation: 'code' };
  t.match(await modes(), [both, { mode: both }]);

  await t.rejects(startOther(mailOn), /"studio confirmation link"/);
  await t.rejects(startOther({}), /"studio confirmation link".*\n.*"studio mail off"/);
  t.match(await switchMailOff(context, 'test'), { outcome: 'code' }, 'codes need mail');
  t.match(await switchToLink(context, 'test'), { outcome: 'done' });
  t.match(await switchToLink(context, 'test'), { outcome: 'link' });
  await startOther(mailOn);
  t.match(await modes(), [{ mail: true, confirmation: 'link' }]);
  const whole = startWholeService(t, { ...environment, ROLE: 'worker' });
  await t.rejects(whole, /SMTP_URL and MAIL_FROM.*"studio mail off"/);
  t.match(await switchMailOff(context, 'test'), { outcome: 'done' });
  t.match(await switchMailOff(context, 'test'), { outcome: 'off' });
  await startOther({});
  t.match(await modes(), [{ mail: false, confirmation: 'link' }]);
  await startOther(codeOn);
  t.match(await modes(), [both]);
});

async function statusesOfReminders({ mails }: MailService): Promise<string[]> {
  return (await mails()).filter(({ kind }) => kind === 'reminder').map(({ status }) => status);
}

t.test(
  'switched off, mail stays off in every running process, and reminders that are ahead outlast it',
  async (t) => {
    const service = await startService(t, generous, { mail: true });
    const { context, smtp, background } = service;
    const slots = await everyOpenSlot(context, 12);
    const [early, late] = [slots[3]!, slots[15]!];
    await service.book(early, personNumber(0));
    await service.book(late, personNumber(1));
    await service.settle();
    const sentBefore = smtp.received().length;
    t.match(await switchMailOff(context, 'test'), {
      effects: { unsent: 0, unmade: 0, remindersAhead: 2, confirmedAhead: 2 },
    });
    /** 23 hours before a session, when its reminder is due. */
    const dueMs = ({ date, timeSlot }: Slot) =>
      slotStartsAt(timezone, date, timeSlot).epochMs - 23 * hourMs - Date.now();
    await service.shiftClock(dueMs(early));
    await service.settle();
    t.strictSame(await statusesOfReminders(service), ['pending', 'pending']);
    await background.sweeper.sweep();
    await service.settle();
    t.strictSame(await statusesOfReminders(service), ['dropped', 'pending']);
    t.equal(smtp.received().length, sentBefore, 'a process with the settings of mail sends none');
    await background.stop();

    const again = await startService(
      t,
      { ...generous, DATABASE_URL: context.config.databaseUrl! },
      { mail: true },
    );
    await again.shiftClock(dueMs(late));
    await again.settle();
    await again.background.sweeper.sweep();
    await again.settle();
    t.strictSame(await statusesOfReminders(again), ['dropped', 'sent']);
    const [reminder, ...others] = again.smtp.received();
    t.match((await reminder?.parsed())?.subject, /^Reminder/);
    t.strictSame(others, []);
  },
);
