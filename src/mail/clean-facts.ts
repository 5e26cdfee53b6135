import type { StudioNotice } from '../database/schema.js';
import type { StudioRow } from '../repositories/studio.js';
import type { MailedBooking, MailFacts } from './mail-facts.js';

/**
 * How much of the notices a mail contains, in bytes of HTML: they stand in it three times, and it is
 * at most 30 kB. The page has all of them.
 */
const noticesBytes = 5_500;

/**
 * The facts with words of people as a mail can carry them: names on one line, nowhere a control
 * character, an override of the writing direction or a run of empty lines.
 */
export function cleanFacts(facts: MailFacts): MailFacts {
  const { booking, studio, from } = facts;
  return {
    ...facts,
    booking: cleanBooking(booking),
    studio: cleanStudio(studio),
    from: { ...from, name: oneLine(from.name) || oneLine(studio.name) },
  };
}

function cleanBooking(booking: MailedBooking): MailedBooking {
  return {
    ...booking,
    name: orNull(booking.name, oneLine),
    email: orNull(booking.email, oneLine),
    phone: orNull(booking.phone, oneLine),
    pronouns: orNull(booking.pronouns, oneLine),
    idea: orNull(booking.idea, someLines),
    cancellation_reason: orNull(booking.cancellation_reason, someLines),
  };
}

function cleanStudio(studio: StudioRow): StudioRow {
  const cleaned = { ...studio };
  for (const member of lineMembers) cleaned[member] = oneLine(studio[member]);
  return { ...cleaned, notices: boundedNotices(studio.notices) };
}

const lineMembers = [
  'name',
  'street',
  'city',
  'region',
  'postal_code',
  'country',
  'email',
  'phone',
  'website',
] as const;

function boundedNotices(notices: readonly StudioNotice[]): StudioNotice[] {
  let left = noticesBytes;
  const bounded: StudioNotice[] = [];
  for (const { title, text } of notices) {
    const notice = { title: oneLine(title), text: someLines(text) };
    left -= markupBytes(notice.title);
    if (left <= 0) break;
    const shown = shortened(notice.text, left);
    left -= markupBytes(shown);
    bounded.push({ ...notice, text: shown });
  }
  return bounded;
}

/** The text, or as many of its words as fit, and an ellipsis. */
function shortened(text: string, bytes: number): string {
  if (markupBytes(text) <= bytes) return text;
  let used = 0;
  let end = 0;
  for (const word of text.match(/\s*\S{1,80}/gu) ?? []) {
    used += markupBytes(word);
    if (used > bytes) break;
    end += word.length;
  }
  return `${text.slice(0, end)}…`;
}

function markupBytes(text: string): number {
  const escaped = text.replace(/[&<>"\n]/g, '&quot;');
  return Buffer.byteLength(escaped);
}

function oneLine(text: string): string {
  return withoutControls(text).replace(/\s+/g, ' ').trim();
}

function someLines(text: string): string {
  return withoutControls(text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n'))
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ *\n */g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Control characters become spaces; embeddings, overrides and isolates of direction disappear. */
function withoutControls(text: string): string {
  return text
    .replace(/(?!\n)[\p{Cc}\u2028\u2029]/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
}

function orNull(text: string | null, clean: (text: string) => string): string | null {
  return text === null ? null : clean(text) || null;
}
