import t from 'tap';
import { resendMail } from '../../src/domain/mail-admin.js';
import { moveByStudio } from '../../src/domain/studio-bookings.js';
import { changeStudio } from '../../src/domain/studio-settings.js';
import { followZoneData } from '../../src/domain/zone-data.js';
import type { Slot } from '../../src/schedule/slots.js';
import { moveCheckout, releaseCheckout } from '../support/checkouts.js';
import { until } from '../support/embedded.js';
import { readCalendarPart } from '../support/mails.js';
import { personNumber, someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';
import type { ReceivedMail } from '../support/smtp.js';
import { dataAs } from '../support/zone-data.js';

/** Longer than any delay of the retry schedule. */
const pastRetriesMs = 2 * 86_400_000;
/** One for each choice of the changes at whose mails the server is unwilling: the bits of its number. */
const persons = 16;

const service = await startService(t, generous, { mail: true });
const { context, smtp } = service;

function to(address: string, mails = smtp.received()): ReceivedMail[] {
  return mails.filter((mail) => mail.to.includes(address));
}

void t.test(
  'confirmed, moved twice, cancelled: under 451s mails arrive in order or not at all',
  async (t) => {
    const slots = await someOpenSlots(context, 3 * persons);
    const bookings: { id: string; token: string; moves: [Slot, Slot] }[] = [];
    const changes: ((person: number) => Promise<unknown>)[] = [
      async (person) => {
        const [first, second, third] = slots.slice(3 * person);
        const booking = await service.book(first!, personNumber(person));
        bookings.push({ ...booking, moves: [second!, third!] });
      },
      ...[0, 1].map((move) => async (person: number) => {
        const { id, token, moves } = bookings[person]!;
        const browser = await service.browser(id);
        const moved = await moveCheckout(context, token, moves[move]!, move + 1, browser);
        t.match(moved, { outcome: 'done' });
      }),
      async (person) => {
        const { id, token } = bookings[person]!;
        await releaseCheckout(context, token, 'confirmed', null, await service.browser(id));
      },
    ];
    for (const [bit, change] of changes.entries()) {
      smtp.misbehave(({ stage, mail }) => {
        if (stage !== 'end') return null;
        // The studio's mails have it as the address for replies.
        const [, person] = /^(?:Reply-)?To:.*\bperson(\d+)@/im.exec(mail!.raw.toString())!;
        return (Number(person) >> bit) % 2 === 1 ? { code: 451 } : null;
      });
      for (let person = 0; person < persons; person += 1) await change(person);
      await service.settle();
    }
    smtp.misbehave(null);
    await service.shiftClock(pastRetriesMs);
    await service.settle();

    const rows = await service.mails();
    for (const [person, { id, moves }] of bookings.entries()) {
      const { email } = personNumber(person);
      const ofBooking = smtp.received().filter(({ raw }) => raw.includes(email));
      for (const address of [email, 'hello@nightheron.example']) {
        const arrived: string[] = [];
        for (const mail of to(address, ofBooking)) {
          arrived.push(changeOf((await mail.parsed()).subject ?? '', moves[0]));
        }
        const label = `person ${person}, ${address}: ${arrived.join(', ')}`;
        t.strictSame(arrived, [...new Set(arrived)].sort(), `in order, nothing twice: ${label}`);
        t.equal(arrived.at(-1), '4 cancelled', `the last word arrives: ${label}`);
        if (person === 0) t.equal(arrived.length, 4);
      }
      const others = rows.filter((row) => row.booking_id === id && row.status !== 'sent');
      for (const { reason } of others) t.equal(reason, 'superseded', 'it was overtaken');

      const sequences: number[] = [];
      for (const mail of to(email, ofBooking)) {
        const [part] = (await mail.parsed()).attachments;
        const content = Buffer.from(part!.content as ArrayBuffer).toString();
        const { event } = readCalendarPart(content);
        t.equal(event.uid, id, 'one event for life');
        sequences.push(event.sequence);
      }
      const growing = [...new Set(sequences)].sort();
      t.strictSame(sequences, growing, 'that each change brings forward');
    }
  },
);

function changeOf(subject: string, second: Slot): string {
  if (/^(Confirmed|Booked)/.test(subject)) return '1 confirmed';
  if (subject.startsWith('Cancelled')) return '4 cancelled';
  return subject.includes(`, ${second.timeSlot.slice(0, -3)} `) ? '2 moved' : '3 moved';
}

void t.test(
  'a mail that takes long is not overtaken by the next of its booking, and delays no other',
  async (t) => {
    const [slot, next, other] = await someOpenSlots(context, 3);
    let proceed: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (proceed = resolve));
    let asked: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (asked = resolve));
    smtp.misbehave(({ stage, recipient }) => {
      if (stage !== 'end' || recipient !== 'ada@example.com') return null;
      smtp.misbehave(null);
      asked();
      return { until: released };
    });
    const before = smtp.received().length;
    const { id, token } = await service.book(slot!);
    await begun;
    await moveCheckout(context, token, next!, 1, await service.browser(id));
    const { id: otherId } = await service.book(other!, personNumber(persons));
    await service.background.mailDispatcher.dispatchAll();
    // Both of the confirmation, the studio's of the move, and both of the other booking.
    await smtp.waitFor(before + 5);
    t.equal(to('ada@example.com').length, 1, 'the person’s of the move waits');
    const sent = async () =>
      (await service.mails()).filter(
        ({ booking_id, kind, status }) =>
          [id, otherId].includes(booking_id!) && kind !== 'code' && status === 'sent',
      ).length;
    await until(async () => (await sent()) === 4);
    const held = (await service.mails()).filter(({ claimed_until }) => claimed_until !== null);
    t.match(held, [{ status: 'pending', attempts: 0, booking_id: id, recipient: 'person' }]);
    proceed();
    await service.settle();
    const mails = await Promise.all(to('ada@example.com').map((mail) => mail.parsed()));
    t.match(mails, [{ subject: /^Confirmed/ }, { subject: /^Moved/ }]);
    t.equal(mails.length, 2);
  },
);

void t.test('a change that keeps the slot overtakes no mail but the reminder', async (t) => {
  const [booked, movedTo] = (await someOpenSlots(context, 12)).slice(-2);
  const changes = {
    'New address for': () => changeStudio(context, 'test', { street: '2 Birch Lane' }),
    'Still on': () => followZoneData(context, dataAs('America/Denver')),
  };
  smtp.misbehave(({ stage }) => (stage === 'RCPT' ? { code: 451 } : null));
  const { id } = await service.book(booked!, personNumber(persons + 1));
  await service.settle();
  await moveByStudio(context, 'test', id, movedTo!);
  for (const change of Object.values(changes)) {
    await service.settle();
    await change();
  }
  smtp.misbehave(null);
  const before = smtp.received().length;
  await service.settle();
  await service.shiftClock(pastRetriesMs + 3_600_000);
  await service.settle();

  const { email } = personNumber(persons + 1);
  const mails = smtp.received().slice(before);
  const ofBooking = mails.filter(({ raw }) => raw.includes(email!));
  const subjects = async (address: string) =>
    (await Promise.all(to(address, ofBooking).map((mail) => mail.parsed()))).map(
      ({ subject }) => /^(.*?) (?:Ada|\w+day)/.exec(subject ?? '')?.[1],
    );
  t.strictSame(await subjects(email!), ['Moved to', ...Object.keys(changes)]);
  t.strictSame(await subjects('hello@nightheron.example'), ['Moved:']);
  const rows = (await service.mails()).filter(({ booking_id }) => booking_id === id);
  const moves = rows.filter(({ kind, recipient }) => kind === 'move' && recipient === 'person');
  const resent = await Promise.all(moves.map((row) => resendMail(context, 'test', row.id)));
  t.strictSame(
    resent,
    ['superseded', 'superseded', 'resent'],
    'once sent, only the last is of use',
  );
  const reminders = rows.filter(({ kind }) => kind === 'reminder');
  t.strictSame(
    reminders.map(({ sequence, status }) => [sequence, status]),
    [
      [1, 'dropped'],
      [2, 'dropped'],
      [3, 'dropped'],
      [4, 'pending'],
    ],
  );
});
