import { randomUUID } from 'node:crypto';
import { type Static, Type } from '@sinclair/typebox';
import type { HoldRequest } from '../../../generated/schemas.js';
import type { Language } from '../../locales/language.js';
import { type Artist, artistOfLink, type HasArtists } from '../../schedule/artists.js';
import type { Slot } from '../../schedule/slots.js';
import { choice, formRefused, readSlotKey, text, uuid } from '../../web/forms.js';
import { personFields, type TypedPerson } from '../../web/person-form.js';
import { artistTrouble, type Trouble } from '../not-open.js';
import { offeredField } from '../other-times.js';

/** The form as it is posted. */
export const holdSchema = Type.Object({
  action: choice('hold', 'replace'),
  nonce: uuid,
  /** Two values if the form offers other times: the one that was taken, then the one that was chosen. */
  slot: Type.Union([text, Type.Array(text)]),
  ...offeredField,
  /** Whom the person has chosen. */
  artist: Type.Optional(text),
  ...personFields,
});

export interface TypedHold {
  /** A random text by which a form that is sent twice differs from another with the same content. */
  nonce: string;
  slot: Slot;
  /** Whom the person has chosen; null: whoever is free. */
  artist: Artist | null;
  /** Why the artist whom the person has chosen cannot be booked; null if they can. */
  lostArtist: Trouble | null;
  typed: TypedPerson;
  /** Whether the form offered other times, and none was chosen: `slot` is then the taken one. */
  isUnchosen: boolean;
}

export function emptyForm(slot: Slot, artist: Artist | null): TypedHold {
  const typed = { name: '', email: '', phone: '', pronouns: '', idea: '' };
  const nonce = randomUUID();
  return { nonce, slot, artist, lostArtist: null, typed, isUnchosen: false };
}

/** Reads the form. Throws `invalid_request` for a wrong slot. */
export function readHoldForm(
  language: Language,
  posted: Static<typeof holdSchema>,
  all: HasArtists,
): TypedHold {
  const { nonce, name, email, phone, pronouns, idea } = posted;
  const slots = [posted.slot].flat();
  const slot = readSlotKey(slots.at(-1) ?? '');
  if (slot === null) throw formRefused();
  return {
    nonce,
    slot,
    // A hidden artist is kept, so that a form that is sent again asks for the same.
    artist: artistOfLink(all, posted.artist),
    lostArtist: artistTrouble(language, all, posted.artist),
    typed: { name, email, phone, pronouns, idea },
    isUnchosen: posted.offered !== undefined && slots.length === 1,
  };
}

/** The form as a hold request: all texts trimmed, the optional ones null where nothing was typed. */
export function holdRequestOf({ slot, typed }: TypedHold): HoldRequest {
  const { name, email, phone, pronouns, idea } = typed;
  return {
    date: slot.date,
    time_slot: slot.timeSlot,
    name: name.trim(),
    email: email.trim(),
    phone: phone.trim(),
    pronouns: pronouns.trim() || null,
    idea: idea.trim() || null,
  };
}
