import type { Transaction } from 'kysely';
import type { CalendarServices } from '../../board/services.js';
import type { AuditAction, Database } from '../../database/rows/schema.js';
import { type FeedFacts, feedWindow } from '../../icalendar/feed-file.js';
import { recordAudit } from '../../repositories/audit.js';
import {
  type CalendarFeed,
  deleteFeed,
  insertFeed,
  listFeeds,
  lockCalendarFeeds,
  readFeed,
  updateFeedToken,
} from '../../repositories/calendar-feeds.js';
import { todayInZone } from '../../schedule/slots.js';
import { sha256 } from '../../secrets/keyring.js';
import { createCredential, isCredential } from '../../secrets/tokens.js';
import { lineOf } from './fields.js';

export type { CalendarFeed } from '../../repositories/calendar-feeds.js';

type FeedServices = Pick<CalendarServices, 'database'>;

/** The longest label of a feed or of a watched calendar, in characters. */
export const maxCalendarLabelLength = 60;

/** Of an artist, and of the studio. @internal */
export const maxFeeds = 20;

/** The label of a calendar, as typed. */
export const checkCalendarLabel = lineOf(maxCalendarLabelLength, 'label');

export function feedPath(token: string): string {
  return `/calendar/${token}.ics`;
}

/** A feed with its token, which cannot be read again. */
export interface IssuedFeed {
  feed: CalendarFeed;
  token: string;
}

export type AddedFeed =
  | { outcome: 'added'; issued: IssuedFeed }
  /** `field`: the field of the message, if it is about one. */
  | { outcome: 'refused'; field: 'label' | null; message: string };

/**
 * Makes an address at which calendar programs read the bookings; at most 20 exist for each artist, and
 * for all. `hasDetails`: whether it shows name and phone; initials otherwise. `artistId`: whose sessions
 * it shows; null: all.
 */
export async function addCalendarFeed(
  { database }: FeedServices,
  actor: string,
  {
    label: typed,
    hasDetails,
    artistId = null,
  }: { label: string; hasDetails: boolean; artistId?: number | null },
): Promise<AddedFeed> {
  const checked = checkCalendarLabel(typed);
  if ('problem' in checked) return { outcome: 'refused', field: 'label', message: checked.problem };
  const label = checked.value;
  const token = createCredential('tsf');
  return database.transaction().execute(async (transaction) => {
    await lockCalendarFeeds(transaction);
    const feeds = await listFeeds(transaction);
    if (feeds.filter((feed) => feed.artist_id === artistId).length >= maxFeeds) {
      const message = `There are ${maxFeeds} feeds already: remove one first.`;
      return { outcome: 'refused', field: null, message };
    }
    const row = { token_hash: sha256(token), label, has_details: hasDetails, artist_id: artistId };
    const feed = await insertFeed(transaction, row);
    await recordChange(transaction, actor, 'calendar feed add', feed);
    return { outcome: 'added', issued: { feed, token } };
  });
}

/** The feeds, the newest first. */
export async function listCalendarFeeds({ database }: FeedServices): Promise<CalendarFeed[]> {
  return listFeeds(database);
}

/** Gives a feed another address; the old one ends at once. Null if the feed does not exist. */
export async function rotateCalendarFeed(
  { database }: FeedServices,
  actor: string,
  id: string,
): Promise<IssuedFeed | null> {
  const token = createCredential('tsf');
  return database.transaction().execute(async (transaction) => {
    const feed = await updateFeedToken(transaction, id, sha256(token));
    if (feed === null) return null;
    await recordChange(transaction, actor, 'calendar feed rotate', feed);
    return { feed, token };
  });
}

/** Removes a feed; its address ends at once. Null if it does not exist. */
export async function removeCalendarFeed(
  { database }: FeedServices,
  actor: string,
  id: string,
): Promise<CalendarFeed | null> {
  return database.transaction().execute(async (transaction) => {
    const feed = await deleteFeed(transaction, id);
    if (feed === null) return null;
    await recordChange(transaction, actor, 'calendar feed remove', feed);
    return feed;
  });
}

// The label is left out: it is free text and may contain personal data.
async function recordChange(
  transaction: Transaction<Database>,
  actor: string,
  action: AuditAction,
  { id, has_details }: CalendarFeed,
): Promise<void> {
  await recordAudit(transaction, actor, action, { feed_id: id, has_details });
}

/** The present content of a token's feed. Null for an unknown token. */
export async function readCalendarFeed(
  { database, board, clock }: Pick<CalendarServices, 'database' | 'board' | 'clock'>,
  token: string,
): Promise<FeedFacts | null> {
  if (!isCredential('tsf', token)) return null;
  const { studio, addresses, openingHours, calendar } = await board.read();
  const today = todayInZone(studio.timezone, clock.now());
  const window = feedWindow(today, calendar.horizonDays);
  const rows = await readFeed(database, sha256(token), window);
  return rows && { ...rows, studio, addresses, openingHours, artists: calendar.artists, window };
}
