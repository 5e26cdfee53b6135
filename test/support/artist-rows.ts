import { startSession } from '../../src/access/console-sessions.js';
import { addCalendarFeed } from '../../src/domain/studio/calendar-feeds.js';
import { addClosure } from '../../src/domain/studio/closures.js';
import type { Slot } from '../../src/schedule/slots.js';
import { addPerson } from './console.js';
import { insertMail } from './mail-rows.js';
import type { TestService } from './service.js';

export type ArtistRows = Awaited<ReturnType<typeof rowsOfArtist>>;

/** A booking with all its rows: a mail, a closure, a feed, a session and a passkey of its artist. */
export async function rowsOfArtist(
  service: Pick<TestService, 'context'>,
  artist: { id: number; slug: string },
  slot: Slot,
  name: string,
) {
  const { context } = service;
  const { database } = context;
  const artistId = artist.id;
  const booking = await addPerson(
    service,
    { ...slot, artistId },
    { name, email: `${name}@example.com` },
  );
  const mail = await insertMail(context, booking.id, { status: 'failed', last_error: 'timeout' });
  const day = {
    fromDate: '2999-06-03',
    toDate: '2999-06-03',
    timeSlot: null,
    reason: `${name} is away`,
  };
  const closed = await addClosure(
    context,
    'test',
    { ...day, artistId },
    { decisions: [], word: null },
  );
  const feed = await addCalendarFeed(context, 'test', {
    label: `${name}’s`,
    hasDetails: true,
    artistId,
  });
  const { session } = await database
    .transaction()
    .execute((transaction) =>
      startSession(transaction, { name, artist_id: artistId, passkeyId: null, formerToken: null }),
    );
  const passkey = await database
    .insertInto('passkeys')
    .values({
      ...{ credential_id: name, public_key: Buffer.alloc(1), counter: 0, transports: [], name },
      ...{ artist_id: artistId, created_at: new Date(context.clock.now()) },
    } as never)
    .returning('id')
    .executeTakeFirstOrThrow();
  if (closed.outcome !== 'added' || feed.outcome !== 'added') throw new Error('no rows');
  return {
    booking,
    ids: {
      bookings: booking.id,
      clients: booking.id,
      mail: mail.id,
      closures: closed.closure.id,
      feeds: feed.issued.feed.id,
      watched: booking.id,
      sessions: session.id,
      passkeys: passkey.id,
      keys: booking.id,
      webhooks: booking.id,
    } as Record<string, string>,
  };
}
