import { shorten } from '../domain/validation-messages.js';
import type { Language } from '../locales/language.js';
import { artistOfLink, type HasArtists, namedArtists } from '../schedule/artists.js';
import type { SlotState } from '../schedule/calendar.js';
import { type Session, timesIn } from '../schedule/times.js';
import { unbroken } from '../schedule/words.js';

/** What went wrong, for the person. */
export interface Trouble {
  title: string;
  text: string;
}

/**
 * Why the named artist cannot be booked; null if they can, if nobody is named, and where there is one
 * artist. The caller adds advice to the text.
 */
export function artistTrouble({ t }: Language, all: HasArtists, word: unknown): Trouble | null {
  if (namedArtists(all).length === 0 || word === undefined || word === '') return null;
  const artist = artistOfLink(all, word);
  if (artist?.isHidden === false) return null;
  if (artist !== null) {
    return { title: t('artist.hidden.title'), text: t('artist.hidden', { name: artist.name }) };
  }
  // Anybody can write an address: its text is cut, and isolated from the text around it.
  const text =
    typeof word === 'string'
      ? t('artist.unknown.named', { name: shorten(word) })
      : t('artist.unknown');
  return { title: t('artist.unknown.title'), text };
}

/** The person has another session then. `comfort`: the sentence that follows. */
export function hasOtherSession(language: Language, session: Session, comfort: string): Trouble {
  const { t } = language;
  const { bookingLabel, labelWith } = timesIn(language);
  const label = labelWith(bookingLabel(session), session.artistName ?? null);
  return {
    title: t('other_session.title'),
    text: `${t('other_session', { session: unbroken(label) })} ${comfort}`,
  };
}

/** The last part of the key of each sentence. */
const reasons = {
  no_session: 'no_session',
  closed: 'no_session',
  past: 'past',
  too_soon: 'too_soon',
  too_far: 'too_far',
  open: 'taken',
  held: 'taken',
  taken: 'taken',
} as const satisfies Record<SlotState, string>;

/**
 * Why a slot is not available, with the artist if it has one: others may have it. `comfort`: the sentence
 * that follows the reason.
 */
export function notOpen(
  language: Language,
  slot: Session,
  state: SlotState,
  comfort: string,
): Trouble {
  const { t } = language;
  const reason = reasons[state];
  const time = unbroken(timesIn(language).bookingLabel(slot));
  const why =
    reason === 'no_session' && slot.artistName != null
      ? t('not_open.no_session.artist', { time, artist: slot.artistName })
      : t(`not_open.${reason}`, { time });
  return { title: t(`not_open.${reason}.title`), text: `${why} ${comfort}` };
}
