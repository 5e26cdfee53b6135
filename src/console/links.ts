import type { TimeSlot } from '../../generated/schemas.js';
import type { MailStatus } from '../database/rows/mails.js';
import type { StudioSlot } from '../domain/studio/days.js';
import type { StudioSchedule } from '../domain/studio/settings.js';
import { alreadyCorrect } from '../domain/studio/words.js';
import { type Slot, slotKey } from '../schedule/slots.js';

/** An address with the fields that have a value. */
export function pathWith(path: string, fields: Record<string, string | null | undefined>): string {
  const given = Object.entries(fields).filter(
    (field): field is [string, string] => typeof field[1] === 'string',
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

/** The messages of bookings and days after a change that does not place a booking, by `done`. */
export const doneMessages = {
  cancelled: 'Cancelled. The slot is free again.',
  corrected: 'Corrected. The person gets no mail.',
  'corrected-mailed':
    'Corrected. The new address gets a mail with a new link. A calendar entry at the former one stays there.',
  'corrected-linked': 'Corrected. Give the person the new link, which is below.',
  'corrected-all': 'Corrected, in all sessions to come. The person gets no mail.',
  'corrected-all-mailed':
    'Corrected, in all sessions to come. The new address gets a mail with a new link for each. Calendar entries at the former one stay there.',
  'corrected-all-linked':
    'Corrected, in all sessions to come. Give the person the new links, which are on the page of each.',
  unchanged: alreadyCorrect,
  noted: 'The note is saved.',
  missed: 'Recorded: the person did not come.',
  'not-missed': 'No longer a no-show.',
  forgotten: 'The personal data is erased.',
} as const;

/** The messages of a day after a change on it, by `done`. */
export const doneOnDayMessages = {
  missed: doneMessages.missed,
  'not-missed': doneMessages['not-missed'],
  opened: 'The closure is removed. Sessions that only it closed can be booked again.',
  handed: 'The session is with another artist now.',
} as const;

/** The `done` of an address. */
export type Done =
  | keyof typeof doneMessages
  | 'undone'
  | 'added'
  | 'moved'
  | `${'added' | 'moved'}-${Exclude<StudioSchedule, 'open'>}`;

/**
 * A day after a change on it. At midnight, the page of today shows the next day by itself. `artist`: see
 * `linkToDay`.
 */
export function linkAfterOnDay(
  done: keyof typeof doneOnDayMessages,
  date: string,
  today: string,
  { artist = null, isMailed }: { artist?: string | null | undefined; isMailed?: boolean } = {},
): string {
  const mailed = mailedField(isMailed);
  return pathWith(home, { date: date === today ? null : date, artist, done, mailed });
}

export const bookingsPath = '/console/bookings';

export function linkToBooking(id: string): string {
  return `${bookingsPath}/${id}`;
}

/** The page of a booking after a change; `isMailed`: whether its person gets a mail. */
export function linkAfter(done: Done, id: string, isMailed?: boolean): string {
  return pathWith(linkToBooking(id), { done, mailed: mailedField(isMailed) });
}

function mailedField(isMailed: boolean | undefined): 'yes' | 'no' | null {
  if (isMailed === undefined) return null;
  return isMailed ? 'yes' : 'no';
}

export const clientsPath = '/console/clients';

/** The page of the client of a booking: an address names nobody. */
export function linkToClient(bookingId: string): string {
  return `${clientsPath}/${bookingId}`;
}

/** The form that adds a booking, with the details of another one. */
export function linkToAddAgain(bookingId: string): string {
  return pathWith(`${bookingsPath}/new`, { like: bookingId });
}

/** The slug of an artist in addresses and forms; null where the studio has one. */
export function slugOf({
  artist,
  artistName,
}: Pick<StudioSlot, 'artist' | 'artistName'>): string | null {
  return artistName === null ? null : artist.slug;
}

/** The times to which a booking can be moved with an artist; '': with whoever is free. */
export function linkToTimes(id: string, artist: string | null = null): string {
  return pathWith(`${linkToBooking(id)}/move`, { artist });
}

/** The question whether to move a booking to a slot. `artist`: see `linkToTimes`. */
export function linkToMove(id: string, slot: Slot, artist: string | null = null): string {
  return pathWith(`${linkToBooking(id)}/move`, { slot: slotKey(slot), artist });
}

/** The `done` of a booking in a slot, with the reason why people could not book it. */
export function doneInSlot(done: 'added' | 'moved', schedule: StudioSchedule): Done {
  return schedule === 'open' ? done : `${done}-${schedule}`;
}

/** The form that adds a booking, with an artist if one is named. */
export function linkToAdd(
  { date, timeSlot }: { date: string; timeSlot?: TimeSlot },
  artist: string | null = null,
): string {
  return pathWith(`${bookingsPath}/new`, { date, time_slot: timeSlot, artist });
}

/** The page of a day, or of today for null; with one artist, if one is named. */
export function linkToDay(date: string | null, artist: string | null = null): string {
  return pathWith(home, { date, artist });
}

export const signInsPath = '/console/sign-ins';

export const hoursPath = '/console/hours';

/** All weeks side by side, and those from a day to a day. */
export const weeksPath = '/console/hours/weeks';

export const datedWeekPath = '/console/hours/weeks/dated';

/** The form of a week from a day to a day, or of a new one; `artist`: a slug, or null for the studio. */
export function linkToDatedWeek(
  artist: string | null,
  { from = null, to = null }: { from?: string | null; to?: string | null } = {},
): string {
  return pathWith(datedWeekPath, { artist, from, to });
}

export const undecidedPath = '/console/closures/undecided';

/** The form that closes dates. */
export const newClosurePath = '/console/closures/new';

/** The link to a new closure of one date, and of an artist if one is named. */
export function linkToNewClosure(date: string, artist: string | null = null): string {
  return pathWith(newClosurePath, { date, artist });
}

/** The link to a new block of an hour from a time on (`HH:MM`), and of an artist if one is named. */
export function linkToBlock(date: string, from: string, artist: string | null = null): string {
  const to = `${String(Number(from.slice(0, 2)) + 1).padStart(2, '0')}${from.slice(2)}`;
  return pathWith(newClosurePath, { date, from_time: from, to_time: to, artist });
}

/** The link for days from `date` on, on which the studio or the artist cannot work. */
export function linkToSickDays(date: string, artist: string | null = null): string {
  return pathWith(newClosurePath, { date, job: 'sick', artist });
}

export const openingsPath = '/console/openings';

/** The form that opens a day outside the week. */
export const newOpeningPath = `${openingsPath}/new`;

/** The form that opens one date. */
export function linkToNewOpening(date: string): string {
  return `${newOpeningPath}?date=${date}`;
}

/** The page of a closure. `day`: the page to come back to once it is removed. */
export function linkToClosure(id: string, day?: string): string {
  return pathWith(`/console/closures/${id}`, { day });
}

/** The selection of mails in an address. */
export interface MailSelection {
  /** The status; null: any. */
  status: MailStatus | null;
  /** The position of the last mail of the page before. */
  before: string | null;
}

export function linkToMails(
  selection: Partial<MailSelection>,
  fields: { done?: string } = {},
): string {
  return pathWith('/console/mail', { ...selection, ...fields });
}

export function linkToWebhook(id: string): string {
  return `/console/webhooks/${id}`;
}

export const calendarsPath = '/console/calendars';
export const feedsPath = `${calendarsPath}/feeds`;
export const watchedPath = `${calendarsPath}/watched`;

export const studioPath = '/console/studio';

export const artistsPath = '/console/artists';

export function linkToArtist(slug: string): string {
  return `${artistsPath}/${slug}`;
}

/** The week and the first day of a new artist. */
export function linkToStart(slug: string): string {
  return `${linkToArtist(slug)}/start`;
}

/** The path to which the forms of the notices are posted. */
export const noticesPath = '/console/studio/notices';
export const addressesPath = '/console/studio/addresses';

/** The first page of the console. */
export const home = '/console';

/** A page of the console, except links that sign in. Its path is plain: no escapes, no dots, no `//`. */
const pagePattern = /^\/console(?!\/sign-in(?:\/|\?|$))(?:\/[\w:-]+)*(?:\?[\w=&.:%+-]*)?$/;
const maxLength = 500;

/** The page of the console that was asked for before the sign-in. Any other address is `home`. */
export function nextAddress(asked = ''): string {
  const isPage = asked.length <= maxLength && pagePattern.test(asked);
  return isPage ? asked : home;
}
