import { strict as assert } from 'node:assert';
import { load } from 'cheerio';
import fc from 'fast-check';
import t from 'tap';
import { removeAddress } from '../../src/domain/studio/addresses.js';
import { moveByStudio } from '../../src/domain/studio/bookings.js';
import { changeStudio } from '../../src/domain/studio/settings.js';
import { changeWeek } from '../../src/domain/studio/week.js';
import { addDays } from '../../src/schedule/dates.js';
import { type Slot, slotKey, slotStartsAt, timeSlots } from '../../src/schedule/slots.js';
import { seed } from '../support/arbitraries.js';
import { bookingRow } from '../support/bookings.js';
import { addFeed, readFeed } from '../support/feeds.js';
import { holdForPerson } from '../support/holds.js';
import { readCalendar } from '../support/ical.js';
import { readCalendarPart } from '../support/mails.js';
import { personNumber } from '../support/requests.js';
import { generous, startService } from '../support/service.js';
import { startOver } from '../support/start-over.js';

const actor = 'ada@front-desk';
const sequences = Number(process.env['ADDRESS_SEQUENCES'] ?? 5);
const timezone = 'America/Los_Angeles';
const dayMs = 86_400_000;
const streets = ['1 Alder Row', '2 Birch Lane', '3 Cedar Way'];

const service = await startService(t, generous, { mail: true });
const { app, context, smtp } = service;
const { database } = context;

const slot = fc.record({
  day: fc.integer({ min: 2, max: 6 }),
  timeSlot: fc.constantFrom(...timeSlots),
});
const which = fc.nat({ max: 30 });
const isQuiet = fc.nat({ max: 2 }).map((number) => number === 0);
const address = fc.record({
  kind: fc.constant('address' as const),
  street: fc.constantFrom(...streets),
  /** Undefined: at once. */
  day: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
  isQuiet,
});
const book = fc.record({ kind: fc.constant('book' as const), slot });
const step = fc.oneof(
  address,
  address,
  book,
  book,
  fc.record({ kind: fc.constant('take back' as const), which, isQuiet }),
  fc.record({ kind: fc.constant('hold' as const), slot }),
  fc.record({ kind: fc.constant('move' as const), slot, which }),
  fc.record({ kind: fc.constant('next day' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

interface Session extends Slot {
  id: string;
  token: string;
  email: string;
  isConfirmed: boolean;
}

/** What the studio has decided: which street counts from which date on. */
type Plan = Map<string, string>;

function streetOf(plan: Plan, date: string): string {
  const from = [...plan.keys()].filter((each) => each <= date).sort();
  return plan.get(from.at(-1)!)!;
}

let persons = 0;
let mailsRead = 0;

class Run {
  plan: Plan = new Map([['0001-01-01', streets[0]!]]);
  sessions: Session[] = [];
  daysAhead = 0;
  told = 0;
  touchedQuietly = 0;

  async begin(): Promise<void> {
    await startOver(context);
    await database.updateTable('studio').set({ street: streets[0]! }).execute();
    await service.settle();
    mailsRead = smtp.received().length;
  }

  async take(each: Step): Promise<void> {
    await context.board.refresh();
    const { today } = await context.board.read();
    const slotIn = ({ day, timeSlot }: { day: number; timeSlot: Slot['timeSlot'] }) => ({
      date: addDays(today, day),
      timeSlot,
    });
    const isTaken = async (wanted: Slot) => (await context.board.read()).taken.has(slotKey(wanted));
    switch (each.kind) {
      case 'address': {
        const from = each.day === undefined ? undefined : addDays(today, each.day);
        // The one that counts then already is no other address.
        const isSame = streetOf(this.plan, from ?? today) === each.street;
        const after = isSame ? this.plan : new Map(this.plan).set(from ?? today, each.street);
        await this.expectTold(after, each.isQuiet, () =>
          changeStudio(
            context,
            actor,
            { street: each.street },
            {},
            { from, isQuiet: each.isQuiet },
          ),
        );
        return;
      }
      case 'take back': {
        const coming = [...this.plan.keys()].filter((from) => from > today).sort();
        const from = coming[each.which % Math.max(coming.length, 1)];
        if (from === undefined) return;
        const after = new Map(this.plan);
        after.delete(from);
        await this.expectTold(after, each.isQuiet, () =>
          removeAddress(context, actor, from, { isQuiet: each.isQuiet }),
        );
        return;
      }
      case 'book':
      case 'hold': {
        const wanted = slotIn(each.slot);
        if (await isTaken(wanted)) return;
        const person = personNumber((persons += 1));
        const isConfirmed = each.kind === 'book';
        const held = isConfirmed
          ? await service.book(wanted, person)
          : await holdForPerson(service, person, wanted);
        this.sessions.push({ ...held, ...wanted, email: person.email, isConfirmed });
        return this.deliver(isConfirmed ? [held.id] : []);
      }
      case 'move': {
        const chosen = this.sessions[each.which % Math.max(this.sessions.length, 1)];
        const wanted = slotIn(each.slot);
        if (chosen === undefined || !this.isToCome(chosen) || (await isTaken(wanted))) return;
        const moved = await moveByStudio(context, actor, chosen.id, wanted);
        if (moved.outcome !== 'moved') return;
        Object.assign(chosen, wanted);
        return this.deliver(chosen.isConfirmed ? [chosen.id] : []);
      }
      case 'next day':
        // Holds have lapsed by then.
        this.sessions = this.sessions.filter(({ isConfirmed }) => isConfirmed);
        this.daysAhead += 1;
        await service.shiftClock(this.daysAhead * dayMs);
        return this.deliver([]);
    }
  }

  /** Changes the address: each session that it touches has one new sequence and, unless it is quiet, one mail. */
  async expectTold(after: Plan, isQuiet: boolean, change: () => Promise<unknown>) {
    const before = this.plan;
    const sequencesBefore = await this.sequences();
    await change();
    this.plan = after;
    await context.board.refresh();
    const touched = this.sessions.filter(
      (each) => this.isToCome(each) && streetOf(before, each.date) !== streetOf(after, each.date),
    );
    const sequencesAfter = await this.sequences();
    for (const { id } of this.sessions) {
      const grown = touched.some((each) => each.id === id) ? 1 : 0;
      assert.equal(sequencesAfter.get(id), sequencesBefore.get(id)! + grown);
    }
    const told = isQuiet ? [] : touched.filter(({ isConfirmed }) => isConfirmed);
    this.told += told.length;
    this.touchedQuietly += isQuiet ? touched.length : 0;
    await this.deliver(
      told.map(({ id }) => id),
      'New address for',
    );
  }

  isToCome({ date, timeSlot }: Slot): boolean {
    return slotStartsAt(timezone, date, timeSlot).epochMs > context.clock.now();
  }

  async sequences(): Promise<Map<string, number>> {
    const rows = await database.selectFrom('bookings').select(['id', 'sequence']).execute();
    return new Map(rows.map(({ id, sequence }) => [id, sequence]));
  }

  /** Sends what is due: one mail to each of these, and reminders, all with the place of their session. */
  async deliver(ids: string[], subject = ''): Promise<void> {
    await service.settle();
    const mailed: string[] = [];
    const mails = smtp.received().slice(mailsRead);
    mailsRead += mails.length;
    for (const mail of mails) {
      const session = this.sessions.find(({ email }) => mail.to.includes(email));
      if (session === undefined) continue;
      const parsed = await mail.parsed();
      const street = streetOf(this.plan, session.date);
      for (const other of streets) {
        assert.equal(parsed.text!.includes(other), other === street, `${other}: ${parsed.text}`);
      }
      if (parsed.subject!.startsWith('Reminder')) continue;
      mailed.push(session.id);
      assert.match(parsed.subject!, new RegExp(`^${subject}`));
      const { content } = parsed.attachments[0]!;
      const { component } = readCalendarPart(new TextDecoder().decode(content as ArrayBuffer));
      assert.match(String(component.getFirstPropertyValue('location')), new RegExp(street));
    }
    assert.deepEqual(mailed.sort(), ids.sort());
  }

  /** Page, file and feed of each session name its place. */
  async expectShown(): Promise<void> {
    const feed = await addFeed(context);
    const { events } = await readFeed(service, feed.path);
    for (const { id, token, date, isConfirmed } of this.sessions) {
      const place = new RegExp(streetOf(this.plan, date));
      const remoteAddress = `192.0.2.${persons % 250}`;
      const page = await app.inject({ url: `/checkout/${token}`, remoteAddress });
      assert.match(load(page.body)('dl.facts').text(), place);
      if (!isConfirmed) continue;
      const file = readCalendar(
        (await app.inject({ url: `/checkout/${token}/calendar.ics`, remoteAddress })).body,
      );
      for (const shown of [file.events[0]!, events.find(({ uid }) => uid === id)!]) {
        assert.match(shown.event.location, place);
        assert.equal(shown.event.sequence, (await bookingRow(context, id)).sequence);
      }
    }
    const { data } = (await app.inject('/api/public/studio')).json<{
      data: { address: { street: string } };
    }>();
    const { today } = await context.board.read();
    assert.equal(data.address.street, streetOf(this.plan, today));
  }
}

t.test(
  'in any order of addresses, moves and days, all name the place of a session’s date, and who is touched gets one mail',
  async (t) => {
    const everyDay = [1, 2, 3, 4, 5, 6, 7];
    const hours = { opens: '09:00', closes: '20:00' };
    await changeWeek(context, actor, { weekdays: everyDay, hours, sessions: [...timeSlots] });
    const seen = { told: 0, touchedQuietly: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 30 }), async (steps) => {
        const run = new Run();
        await run.begin();
        for (const each of steps) await run.take(each);
        await run.expectShown();
        seen.told += run.told;
        seen.touchedQuietly += run.touchedQuietly;
      }),
      { seed, numRuns: sequences, endOnFailure: true },
    );
    t.ok(seen.told >= sequences && seen.touchedQuietly > 0, JSON.stringify(seen));
  },
);
