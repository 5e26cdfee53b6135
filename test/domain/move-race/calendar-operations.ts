import type { Context } from '../../../src/context.js';
import { changeArtistDays } from '../../../src/domain/studio/artist-days.js';
import { changeArtistWeek } from '../../../src/domain/studio/artist-weeks.js';
import { addClosure, removeClosure } from '../../../src/domain/studio/closures.js';
import { changeWeek } from '../../../src/domain/studio/week.js';
import type { SlotOfArtist } from '../../../src/schedule/artists.js';
import { addDays, weekdayOf } from '../../../src/schedule/dates.js';
import { timeSlots, type Slot } from '../../../src/schedule/slots.js';
import type { Done } from './operations.js';
import type { Attempt, RacePlan } from './race.js';

export const actor = 'race';
/** So that most slots are open. */
const slotsPerClosure = 12;
const slotsPerDatedDay = 6;

interface Draw extends Pick<RacePlan, 'random' | 'slots' | 'artists'> {
  pick<Item>(items: readonly Item[]): Item | undefined;
  anySlot(): Slot;
  anyPlace(): SlotOfArtist;
}

/** The operations of a studio that changes what is open. */
export function createCalendarOperations(
  context: Context,
  { random, slots, artists, pick, anySlot, anyPlace }: Draw,
  attempt: (kind: string, work: () => Promise<Done | string>) => Promise<Attempt>,
) {
  const slugOf = (id: number | null) => artists.find((artist) => artist.id === id)?.slug;
  const cancelSome = (share: number) =>
    random() < share ? { others: 'cancel' as const } : undefined;
  const readClosures = () => context.database.selectFrom('closures').selectAll().execute();

  /** Null where few are closed. */
  async function reopen(): Promise<Attempt | null> {
    const closures = await readClosures();
    const closed = pick(closures);
    if (closed === undefined || random() * slots.length >= closures.length * slotsPerClosure)
      return null;
    return attempt('reopen', async () =>
      (await removeClosure(context, actor, closed.id)) === null ? 'gone' : 'removed',
    );
  }

  function close({ date, timeSlot: session }: Slot): Promise<Attempt> {
    const { artistId = null } = anyPlace();
    // A block overlaps two sessions.
    const hours = random() < 0.4 ? { from: '12:00', to: '14:30' } : null;
    const timeSlot = hours !== null || random() < 0.2 ? null : session;
    const closure = { fromDate: date, toDate: date, timeSlot, artistId, hours, reason: '' };
    return attempt('close', () => addClosure(context, actor, closure, cancelSome(0.3)));
  }

  /** Gives some dates another week, of the studio or of an artist, or takes it back. */
  async function changeWeeks(): Promise<Attempt> {
    const days = context.database.selectFrom('week_days').selectAll();
    const dated = await days.where('from_date', 'is not', null).execute();
    const stored = pick(dated);
    const isTheirs = () => random() < 0.5;
    if (stored !== undefined && random() * slots.length < dated.length * slotsPerDatedDay) {
      const dates = { from: stored.from_date!, to: stored.to_date! };
      const slug = slugOf(stored.artist_id);
      const asUsual = { weekdays: [stored.weekday], asUsual: true };
      return attempt('week removed', () =>
        slug === undefined
          ? changeWeek(context, actor, asUsual, isTheirs, dates)
          : changeArtistWeek(context, actor, slug, null, dates),
      );
    }
    const { artistId = null, date } = anyPlace();
    const dates = { from: date, to: addDays(date, Math.floor(random() * 3)) };
    const sessions = timeSlots.filter(() => random() < 0.7);
    const day = { sessions, hours: { opens: '09:00', closes: pick(['18:00', '21:00'])! } };
    const weekdays = [0, 1, 2].map((ahead) => weekdayOf(addDays(date, ahead)));
    const slug = slugOf(artistId);
    const own = weekdays.map((weekday) => ({ weekday, ...day }));
    return attempt('week set', () =>
      slug === undefined
        ? changeWeek(context, actor, { weekdays, ...day }, isTheirs, dates)
        : changeArtistWeek(context, actor, slug, own, dates),
    );
  }

  /** Hides or shows an artist, or changes their first or last day. */
  function changeArtist(): Promise<Attempt> {
    const { slug } = pick(artists)!;
    const day = random() < 0.15 ? anySlot().date : null;
    const change = pick([{ lastDay: day }, { firstDay: day }, { isHidden: random() < 0.2 }])!;
    return attempt('isHidden' in change ? 'hide' : 'days', () =>
      changeArtistDays(context, actor, slug, change, cancelSome(0.1)),
    );
  }

  return { readClosures, reopen, close, changeWeeks, changeArtist };
}
