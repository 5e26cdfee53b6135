import { shorten } from '../domain/validation-messages.js';
import { artistOfLink, type HasArtists, namedArtists } from '../schedule/artists.js';
import type { SlotState } from '../schedule/calendar.js';
import type { Slot } from '../schedule/slots.js';
import { unbroken, bookingLabel } from '../schedule/words.js';

/** What went wrong, for the person. */
export interface Trouble {
  title: string;
  text: string;
}

/**
 * Why the named artist cannot be booked; null if they can, if nobody is named, and where there is one
 * artist. The caller adds advice to the text.
 */
export function artistTrouble(all: HasArtists, word: unknown): Trouble | null {
  if (namedArtists(all).length === 0 || word === undefined || word === '') return null;
  const artist = artistOfLink(all, word);
  if (artist?.isHidden === false) return null;
  // Anybody can write an address: its text is cut, and isolated from the text around it.
  const called = typeof word === 'string' ? ` called “\u2068${shorten(word)}\u2069”` : ' like that';
  return artist === null
    ? { title: 'We do not know this artist', text: `There is no artist${called}.` }
    : {
        title: 'This artist takes no bookings now',
        text: `\u2068${artist.name}\u2069 takes no new bookings.`,
      };
}

/** The person has another session then, by its label. `comfort`: the sentence that follows. */
export function hasOtherSession(label: string, comfort: string): Trouble {
  return {
    title: 'You have another session then',
    text: `You already have a session at that time: ${unbroken(label)}. One person has one session at a time; the page of that booking changes its artist or its time. ${comfort}`,
  };
}

/** Why a slot is not available. `comfort`: the sentence that follows the reason. */
export function notOpen(slot: Slot, state: SlotState, comfort: string): Trouble {
  const label = unbroken(bookingLabel(slot));
  switch (state) {
    case 'no_session':
    case 'closed':
      return {
        title: 'That time is not open',
        text: `We have no session on ${label}. ${comfort}`,
      };
    case 'past':
      return { title: 'That time is over', text: `${label} has passed. ${comfort}` };
    case 'too_soon':
      return {
        title: 'That time is too soon',
        text: `${label} is too soon to be booked. ${comfort}`,
      };
    case 'too_far':
      return {
        title: 'That time is too far ahead',
        text: `${label} cannot be booked yet. ${comfort}`,
      };
    default:
      return {
        title: 'That time has been taken',
        text: `${label} is no longer free. ${comfort}`,
      };
  }
}
