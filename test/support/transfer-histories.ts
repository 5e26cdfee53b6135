import fc from 'fast-check';
import { placeHold } from '../../src/domain/booking/holds.js';
import { expireHolds } from '../../src/domain/booking/new-hold.js';
import { changeArtistDays } from '../../src/domain/studio/artist-days.js';
import { changeArtistWeek } from '../../src/domain/studio/artist-weeks.js';
import { type ArtistRecord, changeArtist } from '../../src/domain/studio/artists.js';
import { addBooking, moveByStudio } from '../../src/domain/studio/bookings.js';
import { cancelByStudio } from '../../src/domain/studio/cancellation.js';
import { noteBooking } from '../../src/domain/studio/clients.js';
import { addClosure } from '../../src/domain/studio/closures.js';
import { correctByStudio } from '../../src/domain/studio/correction.js';
import { recordNoShow } from '../../src/domain/studio/no-show.js';
import { addOpening } from '../../src/domain/studio/openings.js';
import { forgetPerson } from '../../src/domain/studio/personal-data.js';
import { changeNotice, changeStudio } from '../../src/domain/studio/settings.js';
import { changeWeek } from '../../src/domain/studio/week.js';
import { followZoneData } from '../../src/domain/studio/zone-data.js';
import { ServiceError } from '../../src/errors.js';
import { updateReminderChoice } from '../../src/repositories/reminders.js';
import { addDays } from '../../src/schedule/dates.js';
import { timeSlots, todayInZone } from '../../src/schedule/slots.js';
import { addArtists, leaveOneArtist } from './artists.js';
import { bookingRow } from './bookings.js';
import { confirmCheckout, moveCheckout, releaseCheckout } from './checkouts.js';
import { callerNumber, holdRequest, personNumber } from './requests.js';
import { generous, type TestService } from './service.js';
import { startOver } from './start-over.js';
import { exported, importOf, startElsewhere } from './transfers.js';
import { dataAs } from './zone-data.js';

/** People may move their sessions at once. */
export const historySettings = {
  ...generous,
  BOOKING_HORIZON_DAYS: '10',
  MOVE_NOTICE_HOURS: '0',
  MAX_MOVES: '9',
};

/** Texts that JSON, CSV, COPY or a terminal could harm. */
const texts = [
  'Ada Park',
  '=1+1, "quoted"; \\N \\.',
  'line\r\nand \u2028 line\nend',
  '\u202e漢 é 🖋 {"a": null}',
];

const details = {
  which: fc.nat({ max: 3 }),
  person: fc.nat({ max: 3 }),
  text: fc.constantFrom(...texts),
  daysAhead: fc.integer({ min: 0, max: 5 }),
  timeSlot: fc.constantFrom(...timeSlots),
  isWhole: fc.boolean(),
  others: fc.constantFrom('ask', 'keep', undefined),
  minutes: fc.constantFrom(2, 16, 300, 1_440, 4_320),
};
const anyDetails = fc.record(details);
type Details = typeof anyDetails extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * Checks that an export of each of `runs` random histories, imported into an installation that has
 * nothing of it, exports the same bytes. Returns how often each status and member of a booking was seen.
 */
export async function transferHistories(
  { context, shiftClock }: TestService,
  runs: number,
  seed: number,
): Promise<Record<string, number>> {
  let shiftMs = 0;
  let callers = 0;
  let holds: { id: string; token: string }[] = [];
  let artists: ArtistRecord[] = [];
  const seen: Record<string, number> = {};

  const thisYear = new Date(context.clock.now()).getUTCFullYear();
  const slotOf = ({ daysAhead, timeSlot }: Details) => ({
    date: addDays(todayInZone('America/Los_Angeles', context.clock.now()), daysAhead),
    timeSlot,
  });
  /** One of the artists, or null: as for a caller who names none. */
  const artistOf = ({ which, isWhole }: Details) =>
    isWhole ? null : artists[which % artists.length]!;
  const artistIdOf = (given: Details) => ({ artistId: artistOf(given)?.id ?? null });
  const contact = (person: number) => ({ ...personNumber(person), phone: `503555014${person}` });
  type Step = (given: Details) => Promise<unknown>;
  const ofHold =
    (work: (held: (typeof holds)[number], given: Details) => Promise<unknown>): Step =>
    async (given) => {
      const held = holds[given.which % holds.length];
      if (held !== undefined) await work(held, given);
    };
  const steps: Record<string, [weight: number, Step]> = {
    hold: [
      12,
      async (given) => {
        const { text: idea, person } = given;
        const request = holdRequest(slotOf(given), { idea, name: idea, ...contact(person) });
        callers += 1;
        const placed = await placeHold(context, callerNumber(callers), request, null);
        holds.unshift({ id: placed.booking.id, token: placed.checkoutToken });
      },
    ],
    confirm: [8, ofHold(({ token }) => confirmCheckout(context, token))],
    release: [1, ofHold(({ token }) => releaseCheckout(context, token, 'pending'))],
    'give up': [1, ofHold(({ token }) => releaseCheckout(context, token, 'confirmed'))],
    move: [
      3,
      ofHold(async ({ id, token }, given) =>
        moveCheckout(context, token, slotOf(given), (await bookingRow(context, id)).sequence),
      ),
    ],
    expire: [1, () => expireHolds(context)],
    'comes through a platform, and types a code': [
      1,
      ofHold(({ id }) =>
        context.database
          .updateTable('bookings')
          .set({ platform: 'claude', code_proven_at: new Date(context.clock.now()) })
          .where('id', '=', id)
          .execute(),
      ),
    ],
    'no reminders': [1, ofHold(({ id }) => updateReminderChoice(context.database, id, 'stop'))],
    'studio cancels': [
      1,
      ofHold(({ id }, { text }) => cancelByStudio(context, 'desk', id, { reason: text })),
    ],
    'studio moves': [
      2,
      ofHold(({ id }, given) =>
        moveByStudio(
          context,
          'desk',
          id,
          { ...slotOf(given), ...artistIdOf(given) },
          { word: given.text },
        ),
      ),
    ],
    'studio adds': [
      2,
      async (given) => {
        const person = { name: given.text, idea: given.text };
        const slot = { ...slotOf(given), ...artistIdOf(given) };
        const added = await addBooking(context, 'desk', slot, person);
        if ('booking' in added) holds.unshift({ id: added.booking.id, token: '' });
      },
    ],
    correct: [
      1,
      ofHold(({ id }, { person, text }) =>
        correctByStudio(context, 'desk', id, { email: contact(person).email, pronouns: text }),
      ),
    ],
    note: [
      1,
      ofHold(({ id }, { text }) => noteBooking(context, 'desk', id, { note: text, seen: '' })),
    ],
    'no-show': [2, ofHold(({ id }) => recordNoShow(context, 'desk', id, { undo: false }))],
    close: [
      2,
      async (given) => {
        const { date, timeSlot } = slotOf(given);
        const slots = {
          ...{ fromDate: date, toDate: date, timeSlot: given.isWhole ? null : timeSlot },
          artistId: artists[given.which]?.id ?? null,
          hours: given.isWhole && given.which % 2 === 1 ? { from: '12:30', to: '24:00' } : null,
        };
        const { others, text } = given;
        await addClosure(context, 'desk', { ...slots, reason: text }, { others, word: text });
      },
    ],
    open: [
      1,
      (given) => {
        const { date, timeSlot } = slotOf(given);
        return addOpening(context, 'desk', { date, sessions: [timeSlot] });
      },
    ],
    week: [
      1,
      ({ which, isWhole, timeSlot }) => {
        const hours = isWhole ? { opens: '08:00', closes: '24:00' } : null;
        const days = { weekdays: [which + 1], hours, sessions: isWhole ? [timeSlot] : [] };
        return changeWeek(context, 'desk', days, () => false);
      },
    ],
    artist: [
      2,
      async (given) => {
        const artist = artistOf(given);
        if (artist === null || artists.length === 1) return;
        const { slug } = artist;
        const week = [{ weekday: given.daysAhead + 1, sessions: [given.timeSlot] }];
        await changeArtistWeek(context, 'desk', slug, given.person > 0 ? week : null);
        await changeArtistDays(context, 'desk', slug, { isHidden: given.person > 1 });
        const lastDay = given.person > 2 ? slotOf(given).date : null;
        await changeArtistDays(context, 'desk', slug, { lastDay });
        const email = given.person > 2 ? 'ada@example.com' : '';
        await changeArtist(context, 'desk', slug, { about: given.text, email });
      },
    ],
    studio: [
      1,
      ({ text, isWhole }) =>
        changeStudio(context, 'desk', {
          description: text,
          timezone: isWhole ? 'America/Los_Angeles' : 'America/Chicago',
        }),
    ],
    address: [
      1,
      (given) => {
        const from = slotOf(given).date;
        return changeStudio(context, 'desk', { street: given.text }, {}, { from, isQuiet: true });
      },
    ],
    notice: [
      1,
      ({ text }) => changeNotice(context, 'desk', { from: null, to: { title: 'Note', text } }),
    ],
    // An import refuses versions of later years than the next.
    zone: [1, () => followZoneData(context, dataAs('America/Denver', `${thisYear}z`))],
    forget: [
      1,
      ({ person }) => forgetPerson(context, 'desk', contact(person), { cancelBookings: true }),
    ],
    time: [
      4,
      async ({ minutes }) => {
        shiftMs += minutes * 60_000;
        await shiftClock(shiftMs);
      },
    ],
  };
  const kind = fc.oneof(
    ...Object.entries(steps).map(([name, [weight]]) => ({ weight, arbitrary: fc.constant(name) })),
  );

  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ ...details, kind }), { minLength: 1, maxLength: 30, size: 'max' }),
      fc.integer({ min: 1, max: 4 }),
      async (history, count) => {
        shiftMs = 0;
        holds = [];
        await startOver(context);
        await leaveOneArtist(context);
        artists = await addArtists(context, count);
        for (const given of history) await steps[given.kind]![1](given).catch(refused);
        const files = await exported(context);
        await startElsewhere(context);
        if (shiftMs > 0) await shiftClock(shiftMs);
        const report = await importOf(context, files);
        if (report.outcome !== 'imported' || report.refused > 0) {
          throw new Error(`the import: ${JSON.stringify(report)}`);
        }
        const again = await exported(context);
        for (const [name, text] of Object.entries(files)) {
          if (again[name] !== text) throw new Error(`${name}\n${text}\nthen\n${again[name]}`);
        }
        for (const line of files['bookings.jsonl']!.split('\n').slice(0, -1)) {
          const { status, ...members } = JSON.parse(line) as Record<string, unknown>;
          const given = Object.keys(members).filter((name) => members[name]);
          for (const name of [status as string, ...given]) seen[name] = (seen[name] ?? 0) + 1;
        }
      },
    ),
    { seed, numRuns: runs },
  );
  return seen;
}

function refused(error: unknown): void {
  if (!(error instanceof ServiceError) && !/no booking has this link/.test(`${error}`)) throw error;
}
