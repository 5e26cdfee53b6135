import t from 'tap';
import { type ArtistRecord as Artist, changeArtist } from '../../src/domain/studio/artists.js';
import { addBooking, moveByStudio } from '../../src/domain/studio/bookings.js';
import { cancelByStudio } from '../../src/domain/studio/cancellation.js';
import { resendMail } from '../../src/domain/studio/mail-admin.js';
import { changeStudio } from '../../src/domain/studio/settings.js';
import { followZoneData } from '../../src/domain/studio/zone-data.js';
import type { Slot } from '../../src/schedule/slots.js';
import { addArtists } from '../support/artists.js';
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

void t.test(
  'an artist with an address is told of what is booked, moved or cancelled with them, once: also whose session it was',
  async (t) => {
    const [mara, jon, zoe] = (await addArtists(context, 3)) as [Artist, Artist, Artist];
    const slot = (await someOpenSlots(context, 12)).at(-1)!;
    const address = async ({ slug }: Artist, email: string) => {
      t.match(await changeArtist(context, 'test', slug, { email }), { outcome: 'saved' });
    };
    await address(mara, 'mara@b.example');
    await address(jon, 'jon@b.example');
    // The studio's own: it gets one mail, not two.
    await address(zoe, 'Hello@nightheron.example');
    const of = (name: string) => `${name}@b.example`;
    const mailboxes = [of('ivy'), 'hello@nightheron.example', of('mara'), of('jon')];
    let seen = smtp.received().length;
    const arrived = async () => {
      await service.settle();
      const received = smtp.received().slice(seen);
      seen += received.length;
      const mails = received.filter(({ raw }) => raw.includes('ivy@b.example'));
      const subjects = await Promise.all(
        mailboxes.map((mailbox) =>
          Promise.all(
            to(mailbox, mails).map(async (mail) => (await mail.parsed()).subject!.split(/[: ]/)[0]),
          ),
        ),
      );
      t.equal(subjects.flat().length, mails.length, 'nobody else gets one');
      return { subjects: subjects.map((each) => each.join(', ')), mails };
    };
    const person = { name: 'Ivy', email: 'ivy@b.example' };
    const added = await addBooking(context, 'test', { ...slot, artistId: mara.id }, person);
    if (added.outcome !== 'added') throw new Error(added.outcome);
    const { id } = added.booking;
    t.strictSame((await arrived()).subjects, ['Confirmed', 'Booked', 'Booked', '']);

    const moveTo = async ({ id: artistId }: Artist) => {
      const moved = await moveByStudio(context, 'test', id, { ...slot, artistId });
      t.match(moved, { outcome: 'moved', booking: { artist_id: artistId } });
    };
    await moveTo(jon);
    const { subjects, mails } = await arrived();
    t.strictSame(subjects, ['Moved', 'Moved', 'Moved', 'Moved'], 'both artists');
    for (const mailbox of mailboxes.slice(1)) {
      const [mail] = to(mailbox, mails);
      const { text } = await mail!.parsed();
      t.match(text, /Moved from: .* with Mara\nMoved to: .* with Jon\n/, mailbox);
      t.notMatch(mail!.raw.toString(), /checkout/, 'the link of the page is the person’s only');
    }
    const [toPerson] = await Promise.all(to('ivy@b.example', mails).map((mail) => mail.parsed()));
    t.match(toPerson!.subject, /^Moved to .* with Jon · Night Heron/);
    t.match(toPerson!.text, /Before: .* with Mara\n/);
    const [part] = toPerson!.attachments;
    const { event } = readCalendarPart(Buffer.from(part!.content as ArrayBuffer).toString());
    t.match(event.summary, /^Session with Jon at /);
    t.match(to('jon@b.example', mails)[0]!.raw.toString(), /^Reply-To: Ivy <ivy@b\.example>/m);

    // Made while the server refuses: each gets the newest of their own.
    smtp.misbehave(({ stage }) => (stage === 'RCPT' ? { code: 451 } : null));
    for (const artist of [mara, jon, zoe]) {
      await moveTo(artist);
      await service.settle();
    }
    smtp.misbehave(null);
    await service.shiftClock(2 * pastRetriesMs);
    t.strictSame((await arrived()).subjects, ['Moved', 'Moved', 'Moved', 'Moved']);
    const ofArtists = async () =>
      (await service.mails()).filter((mail) => mail.booking_id === id && mail.artist_id !== null);
    const resent = (await ofArtists()).map(({ id: mail }) => resendMail(context, 'test', mail));
    const pointless = Array.from({ length: 6 }, () => 'superseded');
    t.strictSame(await Promise.all(resent), [...pointless, 'resent', 'resent']);
    t.strictSame((await arrived()).subjects, ['', '', 'Moved', 'Moved']);

    // The studio knows what it cancels; the artist does not. One without an address gets nothing.
    await moveTo(jon);
    await arrived();
    smtp.misbehave(({ stage }) => (stage === 'RCPT' ? { code: 451 } : null));
    await cancelByStudio(context, 'test', id);
    await service.settle();
    smtp.misbehave(null);
    await address(jon, '');
    await service.shiftClock(3 * pastRetriesMs);
    t.strictSame((await arrived()).subjects, ['Cancelled', '', '', '']);
    t.match((await ofArtists()).at(-1), {
      ...{ kind: 'cancellation', recipient: 'artist', status: 'dropped', reason: 'no_address' },
    });
  },
);
