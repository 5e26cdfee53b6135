import type { Transaction } from 'kysely';
import type { AuditAction, BookingRow, Database } from '../../database/rows/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import {
  type ArtistRecord,
  giveCalendarsTo,
  insertArtist,
  listArtists,
  nameInBookings,
  updateArtist,
} from '../../repositories/artists.js';
import { recordAudit } from '../../repositories/audit.js';
import {
  listLiveBookingsOutsideSessions,
  searchBookings,
} from '../../repositories/booking-search.js';
import { recordCalendarChange } from '../../repositories/events.js';
import { lockSlots } from '../../repositories/slot-taking.js';
import { checkEmail, lineOf, textOf } from './fields.js';
import { studioToday } from './settings.js';

export type { ArtistRecord } from '../../repositories/artists.js';

export type ArtistServices = Pick<DatabaseServices, 'database' | 'clock'>;

/** The most artists, because pages list them and each hold looks through them. */
export const maxArtists = 20;

export const maxArtistNameLength = 60;

export const maxAboutLength = 200;

export const checkArtistName = lineOf(maxArtistNameLength, 'name');

/** The texts of an artist. The empty text is none, but for the name. */
export interface ArtistTexts {
  name: string;
  /** A line about their work. */
  about: string;
  /** The address to which the studio's mails about their sessions go, too. */
  email: string;
}

/** Sentences about mistakes, by member. `first`: the name that the first artist gets. */
export type ArtistMistakes = Partial<Record<keyof ArtistTexts | 'first', string>>;

export type SavedArtist = { outcome: 'saved'; artist: ArtistRecord };
type RefusedArtist = { outcome: 'refused'; mistakes: ArtistMistakes };

export type AddedArtist =
  | SavedArtist
  | RefusedArtist
  /** The first has no name yet, or nobody has agreed to a second. */
  | { outcome: 'first_unnamed' | 'unagreed' | 'too_many' };

export type ChangedArtist = SavedArtist | RefusedArtist | { outcome: 'not_found' };

/** In the studio's order; at least one. */
export async function readArtists({
  database,
}: Pick<DatabaseServices, 'database'>): Promise<ArtistRecord[]> {
  return listArtists(database);
}

export interface AddingArtist {
  /** The name of the first, where they have none yet. */
  firstName?: string | null;
  /** Whether a second one is agreed to. */
  isAgreed: boolean;
  firstDay?: string | null;
  /** Whether the caller has seen that they have the studio's week, and the first day. */
  isShown?: boolean;
}

/**
 * Adds an artist, at the end of the order and with the studio's week. People can book them once their week
 * and first day were shown (`startArtist`). With the second, the live bookings get the name of the first,
 * and the watched calendars become the first one's.
 */
export async function addArtist(
  { database, clock }: ArtistServices,
  actor: string,
  texts: ArtistTexts,
  { firstName = null, isAgreed, firstDay = null, isShown = false }: AddingArtist,
): Promise<AddedArtist> {
  return database.transaction().execute(async (transaction) => {
    await lockSlots(transaction);
    const [first, ...rest] = await listArtists(transaction);
    if (first === undefined) throw new Error('there is no artist');
    const isNaming = first.name === '' && firstName !== null;
    const named = isNaming ? checkArtistName(firstName) : { value: first.name };
    const name = 'value' in named ? named.value : '';
    const others = [{ ...first, name }, ...rest];
    const checked = checkTexts(texts, others);
    if ('mistakes' in checked || 'problem' in named) {
      const mistakes = {
        ...('mistakes' in checked && checked.mistakes),
        ...('problem' in named && { first: named.problem }),
      };
      return { outcome: 'refused', mistakes };
    }
    if (name === '') return { outcome: 'first_unnamed' };
    if (others.length >= maxArtists) return { outcome: 'too_many' };
    if (rest.length === 0 && !isAgreed) return { outcome: 'unagreed' };
    if (isNaming) {
      const slug = freeSlug(name, rest);
      await updateArtist(transaction, first.id, { name, slug });
      await saved(transaction, actor, 'artists set', slug, { changed: ['name'] });
    }
    if (rest.length === 0) {
      await giveCalendarsTo(transaction, first.id);
      await nameInBookings(transaction, first.id, name);
    }
    const slug = freeSlug(checked.values.name, await listArtists(transaction));
    await insertArtist(transaction, {
      ...{ slug, ...checked.values, first_day: firstDay, is_new: !isShown },
      hidden_at: isShown ? null : new Date(clock.now()),
    });
    const details = { ...(firstDay !== null && { first_day: firstDay }), is_hidden: !isShown };
    return saved(transaction, actor, 'artists add', slug, details);
  });
}

/** Texts that are left out stay. The first artist's slug is made from the first name that they get. */
export async function changeArtist(
  { database }: Pick<DatabaseServices, 'database'>,
  actor: string,
  slug: string,
  change: Partial<ArtistTexts>,
): Promise<ChangedArtist> {
  return changeOne(database, slug, async (transaction, artist, all): Promise<ChangedArtist> => {
    const { name, about, email } = artist;
    const others = all.filter(({ id }) => id !== artist.id);
    const checked = checkTexts({ name, about, email: email ?? '', ...change }, others);
    if ('mistakes' in checked) return { outcome: 'refused', mistakes: checked.mistakes };
    const { values } = checked;
    const changed = (['name', 'about', 'email'] as const).filter(
      (member) => values[member] !== artist[member],
    );
    if (changed.length === 0) return { outcome: 'saved', artist };
    const link = name === '' ? { slug: freeSlug(values.name, others) } : {};
    await updateArtist(transaction, artist.id, { ...values, ...link });
    if (changed.includes('name') && others.length > 0) {
      await nameInBookings(transaction, artist.id, values.name);
    }
    return saved(transaction, actor, 'artists set', link.slug ?? slug, { changed });
  });
}

/** Puts an artist at a place of the order, from 1 on; beyond its end, at the end. */
export async function orderArtist(
  { database }: Pick<DatabaseServices, 'database'>,
  actor: string,
  slug: string,
  place: number,
): Promise<ChangedArtist> {
  return changeOne(database, slug, async (transaction, artist, all) => {
    const order = all.filter(({ id }) => id !== artist.id);
    order.splice(place - 1, 0, artist);
    if (order.every(({ id }, index) => id === all[index]?.id)) return { outcome: 'saved', artist };
    for (const [index, { id }] of order.entries()) {
      await updateArtist(transaction, id, { position: index + 1 });
    }
    return saved(transaction, actor, 'artists set', slug, { place });
  });
}

/** An artist's live bookings from today on, and those of them that are outside their week. */
export async function readArtistBookings(
  context: ArtistServices,
  { id }: Pick<ArtistRecord, 'id'>,
): Promise<{ upcoming: BookingRow[]; outside: BookingRow[] }> {
  const { database } = context;
  const today = await studioToday(context);
  const filter = { from: today, statuses: ['pending', 'confirmed'], artistId: id } as const;
  const outside = await listLiveBookingsOutsideSessions(database, today);
  return {
    upcoming: await searchBookings(database, filter, 1_000),
    outside: outside.filter(({ artist_id }) => artist_id === id),
  };
}

/** Changes an artist under the lock of `lockSlots`. */
export async function changeOne<Changed>(
  database: DatabaseServices['database'],
  slug: string,
  change: (
    transaction: Transaction<Database>,
    artist: ArtistRecord,
    all: readonly ArtistRecord[],
  ) => Promise<Changed>,
): Promise<Changed | { outcome: 'not_found' }> {
  return database.transaction().execute(async (transaction) => {
    // Every concurrent hold or move is either committed and seen here, or sees the change.
    await lockSlots(transaction);
    const all = await listArtists(transaction);
    const artist = all.find((each) => each.slug === slug);
    return artist === undefined ? { outcome: 'not_found' } : change(transaction, artist, all);
  });
}

/** Announces and audits a change of an artist. */
export async function saved(
  transaction: Transaction<Database>,
  actor: string,
  action: Extract<AuditAction, `artists ${string}`>,
  slug: string,
  details: Record<string, unknown>,
): Promise<SavedArtist> {
  await recordCalendarChange(transaction, action);
  await recordAudit(transaction, actor, action, { artist: slug, ...details });
  const artist = (await listArtists(transaction)).find((each) => each.slug === slug);
  if (artist === undefined) throw new Error('the artist was not saved');
  return { outcome: 'saved', artist };
}

type CheckedTexts =
  | { values: { name: string; about: string; email: string | null } }
  | { mistakes: ArtistMistakes };

function checkTexts(
  { name: typed, about, email }: ArtistTexts,
  others: readonly ArtistRecord[],
): CheckedTexts {
  const checkedName = checkArtistName(typed);
  const name = 'value' in checkedName ? checkedName.value : null;
  const isKnown = others.some((other) => other.name.toLowerCase() === name?.toLowerCase());
  const [checkedAbout, checkedEmail] = [
    about.trim() === '' ? { value: '' } : textOf(maxAboutLength)(about.replaceAll(/\s+/g, ' ')),
    email.trim() === '' ? { value: null } : checkEmail(email),
  ];
  const mistakes: ArtistMistakes = {
    ...('problem' in checkedName && { name: checkedName.problem }),
    ...(isKnown && { name: 'Another artist has this name.' }),
    ...('problem' in checkedAbout && { about: checkedAbout.problem }),
    ...('problem' in checkedEmail && { email: checkedEmail.problem }),
  };
  if (name === null || 'problem' in checkedAbout || 'problem' in checkedEmail || isKnown) {
    return { mistakes };
  }
  return { values: { name, about: checkedAbout.value, email: checkedEmail.value } };
}

/** `Zoë O'Hara`: `zoe-o-hara`. A name without Latin letters becomes `artist-2`. */
function freeSlug(name: string, others: readonly ArtistRecord[]): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  const isFree = (slug: string) => !others.some((other) => other.slug === slug);
  if (plain !== '' && isFree(plain)) return plain;
  const base = plain || 'artist';
  const number = others.findIndex((_, index) => isFree(`${base}-${index + 2}`));
  return `${base}-${(number === -1 ? others.length : number) + 2}`;
}
