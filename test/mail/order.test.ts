import ICAL from 'ical.js';
import t, { type Test } from 'tap';
import { releaseCheckout } from '../../src/domain/checkout.js';
import type { Slot } from '../../src/calendar/slots.js';
import { moveCheckout } from '../../src/domain/moves.js';
import { until } from '../support/embedded.js';
import { startMailService, type MailService } from '../support/mail-service.js';
import { personNumber, someOpenSlots } from '../support/requests.js';
import type { ReceivedMail } from '../support/smtp.js';

const dayMs = 86_400_000;
/** Longer than any delay of the retry schedule. */
const pastRetriesMs = 2 * dayMs;

void t.test(
  'confirmed, moved twice, cancelled: under 451s mails arrive in order or not at all',
  async (t) => {
    const service = await startMailService(t);
    const { context, smtp } = service;
    let shift = 0;
    for (let run = 0; run < 24; run += 1) {
      // Bit n: whether the server is unwilling during the n-th of five stretches.
      const isUnwilling = (stretch: number) => ((run * 11) >> stretch) % 2 === 1;
      const willingness = (stretch: number) =>
        smtp.misbehave(
          isUnwilling(stretch) ? ({ stage }) => (stage === 'end' ? { code: 451 } : null) : null,
        );
      const [first, second, third] = await someOpenSlots(context, 3);
      if (first === undefined || second === undefined || third === undefined) throw new Error();
      const person = personNumber(run);
      const before = smtp.received().length;

      willingness(0);
      const { id, token } = await service.book(first, person);
      await service.settle();
      willingness(1);
      await moveCheckout(context, token, second, 1, await service.browser(id));
      await service.settle();
      willingness(2);
      await moveCheckout(context, token, third, 2, await service.browser(id));
      await service.settle();
      willingness(3);
      await releaseCheckout(context, token, 'confirmed', null, await service.browser(id));
      await service.settle();
      smtp.misbehave(null);
      shift += pastRetriesMs;
      await service.shiftClock(shift);
      await service.settle();

      const all = smtp.received().slice(before);
      for (const address of [person.email, 'hello@nightheron.example']) {
        const subjects: string[] = [];
        for (const mail of all.filter(({ to }) => to.includes(address))) {
          subjects.push((await mail.parsed()).subject ?? '');
        }
        const arrived = subjects.map((subject) => changeOf(subject, second));
        t.strictSame(arrived, [...arrived].sort(), `run ${run}, in order: ${arrived.join(', ')}`);
        t.equal(arrived.at(-1), '4 cancelled', `run ${run}: the last word arrives`);
        t.equal(new Set(subjects).size, subjects.length, 'nothing arrives twice');
      }
      const rows = (await service.mails()).filter(({ booking_id }) => booking_id === id);
      t.ok(
        rows.every(({ status, reason }) => status === 'sent' || reason === 'superseded'),
        `run ${run}: what did not arrive was overtaken`,
      );
      await checkCalendar(
        t,
        id,
        all.filter(({ to }) => to.includes(person.email)),
      );
    }
  },
);

function changeOf(subject: string, second: Slot): string {
  if (/^(Confirmed|Booked)/.test(subject)) return '1 confirmed';
  if (subject.startsWith('Cancelled')) return '4 cancelled';
  return subject.includes(second.timeSlot) ? '2 moved' : '3 moved';
}

/** One UID for life, a growing SEQUENCE, METHOD as in the MIME type, and no attachment. */
async function checkCalendar(t: Test, id: string, mails: ReceivedMail[]): Promise<void> {
  let sequence = -1;
  for (const mail of mails) {
    const { attachments } = await mail.parsed();
    t.equal(attachments.length, 1, 'nothing but the calendar beside the two texts');
    const [part] = attachments;
    t.equal(part?.disposition, null);
    const content = Buffer.from(part?.content as ArrayBuffer).toString();
    const calendar = new ICAL.Component(ICAL.parse(content) as unknown[]);
    const event = calendar.getFirstSubcomponent('vevent');
    const method = calendar.getFirstPropertyValue('method');
    t.match(
      mail.raw.toString(),
      new RegExp(`text/calendar;[^\\n]*(\\r\\n\\s)?[^\\n]*method=${String(method)}`),
    );
    t.equal(event?.getFirstPropertyValue('uid'), id);
    const next = Number(event?.getFirstPropertyValue('sequence'));
    t.ok(next > sequence, `${next} after ${sequence}`);
    sequence = next;
    t.equal(method, mail === mails.at(-1) ? 'CANCEL' : 'REQUEST');
  }
}

void t.test(
  'a mail in progress is not overtaken: the next one of the booking waits for it',
  async (t) => {
    const service: MailService = await startMailService(t);
    const { context, smtp } = service;
    const [slot, next] = await someOpenSlots(context, 2);
    if (slot === undefined || next === undefined) throw new Error();
    let proceed: () => void = () => undefined;
    const until = new Promise<void>((resolve) => (proceed = resolve));
    let asked: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (asked = resolve));
    smtp.misbehave(({ stage, recipient, attempt }) => {
      if (stage !== 'end' || recipient !== 'ada@example.com' || attempt > 2) return null;
      asked();
      return { until };
    });
    const { id, token } = await service.book(slot);
    await begun;
    await moveCheckout(context, token, next, 1, await service.browser(id));
    await service.background.mailDispatcher.dispatchAll();
    // Both of the confirmation, and the studio's of the move.
    await smtp.waitFor(3);
    const toPerson = () => smtp.received().filter(({ to }) => to.includes('ada@example.com'));
    t.equal(toPerson().length, 1, 'the person’s of the move waits');
    proceed();
    await service.settle();
    const subjects = await Promise.all(
      toPerson().map(async (mail) => (await mail.parsed()).subject),
    );
    t.equal(subjects.length, 2);
    t.match(subjects[0], /^Confirmed/);
    t.match(subjects[1], /^Moved/);
  },
);

void t.test('a mail that takes long delays no mail of another booking', async (t) => {
  const service = await startMailService(t);
  const { smtp } = service;
  const [slot, next] = await someOpenSlots(service.context, 2);
  if (slot === undefined || next === undefined) throw new Error();
  let proceed: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (proceed = resolve));
  smtp.misbehave(({ stage, recipient }) =>
    stage === 'end' && recipient === 'ada@example.com' ? { until: released } : null,
  );
  const sent = async () => (await service.mails()).filter(({ status }) => status === 'sent').length;
  await service.book(slot);
  await smtp.waitFor(2);
  await until(async () => (await sent()) === 1);
  await service.book(next, personNumber(2));
  await until(async () => (await sent()) === 3);
  const held = (await service.mails()).filter(
    ({ attempts, kind }) => attempts === 0 && kind !== 'reminder',
  );
  t.match(held, [{ status: 'pending', claimed_until: Date }], 'the slow one is still in progress');
  proceed();
  await service.settle();
  t.equal(await sent(), 4);
});
