import { sql } from 'kysely';
import type { Context } from '../../src/context.js';
import {
  addArtist,
  changeArtist,
  type ArtistRecord,
  readArtists,
} from '../../src/domain/studio/artists.js';
import { type Slot, slotStartsAt } from '../../src/schedule/slots.js';

const names = ['Mara', 'Jon', 'Zoë', 'Ada', 'Ben', 'Cleo', 'Dov', 'Eva'];

/** Gives the studio as many artists; with one, it stays as it is. */
export async function addArtists(context: Context, count: number): Promise<ArtistRecord[]> {
  const actor = 'test';
  if (count > 1) {
    await changeArtist(context, actor, 'artist', { name: names[0]! });
    for (const name of names.slice(1, count)) {
      await addArtist(
        context,
        actor,
        { name, about: '', email: '' },
        { isAgreed: true, isShown: true },
      );
    }
    await context.board.refresh();
  }
  return readArtists(context);
}

/** After `startOver`: there is one artist, without a name. */
export async function leaveOneArtist({ database }: Pick<Context, 'database'>): Promise<void> {
  await sql`
    delete from week_days where artist_id is not null or from_date is not null;
    delete from artists where id <> 1;
    update artists set slug = 'artist', name = '', about = '', email = null, position = 1,
      hidden_at = null, first_day = null, last_day = null, is_new = false`.execute(database);
}

const timezone = 'America/Los_Angeles';

/** Inserts a confirmed booking past every rule but those of the database. */
export async function insertBooking(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  { date, timeSlot }: Slot,
  artistId: number,
  changes: { starts_at?: Date } & Record<string, unknown>,
): Promise<void> {
  const {
    starts_at: startsAt = new Date(slotStartsAt(timezone, date, timeSlot).epochMs),
    ...others
  } = changes;
  const at = (afterMs: number) => new Date(clock.now() + afterMs);
  await database
    .insertInto('bookings')
    .values({
      ...{ status: 'confirmed', date, time_slot: timeSlot, artist_id: artistId },
      ...{ timezone, label: 'A session', starts_at_text: '', confirmed_at: at(0) },
      ...{ created_at: at(0), expires_at: at(900_000), checkout_token_sealed: Buffer.alloc(0) },
      ...{ starts_at: startsAt, ends_at: new Date(startsAt.getTime() + 4 * 3_600_000) },
      ends_at_text: '',
      checkout_token_hash: sql<Buffer>`sha256(gen_random_uuid()::text::bytea)`,
      ...others,
    } as never)
    .execute();
}

const jon = { slug: 'jon', name: 'Jon', week: null };

/** Each command about artists, in a studio that has one, with what it prints as JSON. */
export const artistLines: [line: string, expected: object][] = [
  ['artists list', [{ slug: 'artist', name: '', hidden_at: null, week: null }]],
  ['artists rename artist Mara', { changed: { slug: 'mara' } }],
  ['artists add Jon --yes', { added: { ...jon, is_new: true } }],
  ['artists show jon --from 2026-12-01 --yes', { shown: { first_day: '2026-12-01' } }],
  ['artists set JON --email jon@example.com', { changed: { email: 'jon@example.com' } }],
  ['artists hours jon', { artist: jon, bookings_outside: [] }],
  ['artists order jon 1', [jon, { slug: 'mara' }]],
  ['artists leave jon 2999-12-31', { changed: { last_day: '2999-12-31' }, bookings: [] }],
  ['artists leave jon --never', { changed: { last_day: null } }],
  ['artists hide jon', { hidden: { hidden_at: String }, bookings: [], decided: [] }],
  ['artists show jon', { shown: { hidden_at: null } }],
];
