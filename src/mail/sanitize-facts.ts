import type { StudioRow } from '../database/rows/studio.js';
import type { StudioNotice } from '../database/rows/studio.js';
import { addressMembers } from '../schedule/addresses.js';
import type { MailedBooking, MailFacts } from './mail-facts.js';

/**
 * The most bytes of HTML; the rest is on the checkout page. A mail has the notices three times (HTML,
 * text and calendar), and at most 30 kB.
 */
const noticesLimitBytes = 5_500;

/**
 * Sanitizes the texts that people wrote: names and addresses become one line; control characters,
 * overrides of the writing direction and runs of empty lines are removed; notices are shortened.
 */
export function sanitizeFacts(facts: MailFacts): MailFacts {
  const { studio, from } = facts;
  const common = {
    studio: sanitizeStudio(studio),
    from: { ...from, name: oneLine(from.name) || oneLine(studio.name) },
  };
  if (facts.kind === 'calendar_failure') {
    const { calendar } = facts;
    return {
      ...facts,
      ...common,
      calendar: { ...calendar, label: oneLine(calendar.label) || 'Unnamed' },
    };
  }
  const { event, undecided } = facts;
  const { from: former } = event.data;
  const data = {
    ...withArtistOnOneLine(event.data),
    ...(former !== undefined && { from: withArtistOnOneLine(former) }),
  };
  return {
    ...facts,
    ...common,
    event: { ...event, data },
    booking: sanitizeBooking(facts.booking),
    undecided:
      undecided?.map((each) => ({
        ...withArtistOnOneLine(each),
        name: orNull(each.name, oneLine),
        phone: orNull(each.phone, oneLine),
      })) ?? null,
  };
}

/**
 * The name of a person as the display name of an address. A stranger may hold a time with any words and
 * another person's address: until a code has proven the mailbox, only what looks like a name is one, and
 * links never are.
 */
export function displayName({
  name,
  code_proven_at,
}: Pick<MailedBooking, 'name' | 'code_proven_at'>): string {
  if (name === null || withoutLinks(name) !== name) return '';
  return code_proven_at !== null || plainName.test(name.normalize('NFKC')) ? name : '';
}

const plainName = /^[\p{L}\p{M} '’.-]{1,40}$/u;

/** Texts that mail programs make links of: `https://x`, `\\x`, `x@y`, `www.x`, `x.example`. */
const links = /:\/\/|\\\\|@|(?<=\bwww)\.|(?<=[^\s.])[.。](?=(?:\p{Cf}*[\p{L}\p{M}]){2})/giu;

/**
 * The text with brackets that prevent links: `x[.]example`. NFKC finds the letters and dots that mail
 * programs and browsers take for those of ASCII.
 */
export function withoutLinks(text: string): string {
  const folded = text.normalize('NFKC');
  const broken = folded.replace(links, '[$&]');
  return broken === folded ? text : broken;
}

function withArtistOnOneLine<Slot extends { artist_name?: string | null }>(slot: Slot): Slot {
  const { artist_name: name = null } = slot;
  return name === null ? slot : { ...slot, artist_name: oneLine(name) };
}

function sanitizeBooking(booking: MailedBooking): MailedBooking {
  const sanitized = { ...booking };
  for (const column of ['name', 'email', 'phone', 'pronouns'] as const) {
    sanitized[column] = orNull(booking[column], oneLine);
  }
  for (const column of ['idea', 'cancellation_reason', 'studio_word'] as const) {
    sanitized[column] = orNull(booking[column], paragraphs);
  }
  return sanitized;
}

function sanitizeStudio(studio: StudioRow): StudioRow {
  const sanitized = { ...studio };
  for (const column of [...addressMembers, 'name', 'email', 'phone', 'website'] as const) {
    sanitized[column] = oneLine(studio[column]);
  }
  return { ...sanitized, notices: boundedNotices(studio.notices) };
}

function boundedNotices(notices: readonly StudioNotice[]): StudioNotice[] {
  let left = noticesLimitBytes;
  const bounded: StudioNotice[] = [];
  for (const { title, text } of notices) {
    const notice = { title: oneLine(title), text: paragraphs(text) };
    left -= markupBytes(notice.title);
    if (left <= 0) break;
    const shown = shortened(notice.text, left);
    left -= markupBytes(shown);
    bounded.push({ ...notice, text: shown });
  }
  return bounded;
}

/** The text, or its first words that fit, with an ellipsis. */
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

function paragraphs(text: string): string {
  return withoutControls(text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n'))
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ *\n */g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Replaces control characters by spaces, and removes embeddings, overrides and isolates of direction. */
function withoutControls(text: string): string {
  return text
    .replace(/(?!\n)[\p{Cc}\u2028\u2029]/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
}

function orNull(text: string | null, sanitize: (text: string) => string): string | null {
  return text === null ? null : sanitize(text) || null;
}
