import type { Availability, TimeSlot } from '../../generated/schemas.js';
import { availabilityRangeDays } from '../config/limits.js';
import { ServiceError } from '../errors.js';
import {
  type Artist,
  artistOfLink,
  choosableArtists,
  type HasArtists,
} from '../schedule/artists.js';
import { openSlots, type SlotRange } from '../schedule/calendar.js';
import { addDays, daysBetween } from '../schedule/dates.js';
import { todayInZone } from '../schedule/slots.js';
import type { CalendarState } from './board.js';
import { stateOfArtist } from './calendar-state.js';

export const daysAfterToday = 30;

export interface AvailabilityRequest {
  from: string;
  to: string;
  time_slot?: TimeSlot;
  /** The word in the `book_url` of an artist, or their name. */
  artist?: string;
}

/**
 * The open slots of a range of dates. Throws `invalid_request` when the range is not allowed, or the artist
 * cannot be chosen.
 */
export function availabilityOf(state: CalendarState, request: AvailabilityRequest): Availability {
  checkRange(request);
  const { artist, time_slot: timeSlot } = request;
  const artistId = artist === undefined ? null : chosenArtist(state, artist).id;
  return openSlotsOf(stateOfArtist(state, artistId), { ...request, timeSlot });
}

/** The key of an availability in a cache. */
export function availabilityKey({ from, to, time_slot, artist }: AvailabilityRequest): string {
  return JSON.stringify([from, to, time_slot, artist]);
}

/** The artist of the parameter `artist`. Throws `invalid_request` with the possible words. */
export function chosenArtist(all: HasArtists, word: string): Artist {
  const artist = artistOfLink(all, word);
  if (artist !== null && !artist.isHidden) return artist;
  const choices = choosableArtists(all).map(({ slug, name }) => `"${slug}" (${name})`);
  const message =
    choices.length === 0
      ? 'is known only where the studio has several artists, so leave it out'
      : `${artist === null ? '' : 'names an artist who takes no new bookings; it '}must be one of ${choices.join(', ')}`;
  throw new ServiceError('invalid_request', { details: [{ path: 'query.artist', message }] });
}

/** The open slots that the live stream shows. */
export function comingAvailability(state: CalendarState): Availability {
  return openSlotsOf(state, comingDates(state));
}

/** The range of the stream and the dashboard: today in the studio's time zone and the 30 days after. */
export function comingDates({ calendar, validFrom }: CalendarState): { from: string; to: string } {
  const from = todayInZone(calendar.timezone, validFrom);
  return { from, to: addDays(from, daysAfterToday) };
}

function openSlotsOf(state: CalendarState, range: SlotRange): Availability {
  const { calendar, taken, validFrom } = state;
  const days = openSlots(calendar, taken, range, validFrom);
  return {
    timezone: calendar.timezone,
    from: range.from,
    to: range.to,
    total_open: days.reduce((total, { slots }) => total + slots.length, 0),
    days: days.map((day) => ({
      date: day.date,
      weekday: day.weekday,
      slots: day.slots.map((slot) => ({ time_slot: slot.timeSlot, starts_at: slot.startsAt })),
    })),
  };
}

function checkRange({ from, to }: AvailabilityRequest): void {
  const days = daysBetween(from, to);
  if (days >= 0 && days <= availabilityRangeDays) return;
  const message =
    days < 0
      ? 'must not be before from'
      : `must be at most ${availabilityRangeDays} days after from; ask for several ranges instead`;
  throw new ServiceError('invalid_request', { details: [{ path: 'query.to', message }] });
}
