import type { StudioRow } from '../../database/rows/studio.js';
import { todayInZone } from '../../schedule/slots.js';
import { isAllowed, isVisible } from '../booking/person.js';

/** The value of a text, or a sentence about valid ones. */
export type Checked = { value: string } | { problem: string };

export type FieldCheck = (text: string) => Checked;

/** Text of 1 to `maxLength` characters, trimmed. Line breaks become LF: forms send CR LF. */
export function textOf(maxLength: number): FieldCheck {
  return (text) => {
    const value = withLineFeeds(text).trim();
    if (value === '' || [...value].length > maxLength) {
      const limit = maxLength.toLocaleString('en-US');
      return { problem: `Give a text of 1 to ${limit} characters.` };
    }
    // PostgreSQL's text cannot contain it.
    if (value.includes('\0')) return { problem: 'Give a text without the character U+0000.' };
    return { value };
  };
}

/** One line of at most `maxLength` characters, of which one is visible. `what`: its name. */
export function lineOf(maxLength: number, what: string): FieldCheck {
  return (text) => {
    const value = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
    return [...value].length <= maxLength && isVisible(value)
      ? { value }
      : { problem: `Give a ${what} of at most ${maxLength} characters that can be seen.` };
  };
}

/** Whether two texts differ in their line breaks at most. */
export function isSameText(one: string, other: string): boolean {
  return withLineFeeds(one) === withLineFeeds(other);
}

function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

const maxWebsiteLength = 500;

/** Checks an address by the rule for a person's. */
export function checkEmail(text: string): Checked {
  const value = text.trim();
  return isAllowed('email', value)
    ? { value }
    : { problem: 'Give an e-mail address such as ada@example.com.' };
}

function checkWebsite(text: string): Checked {
  const value = text.trim();
  const isWebsite =
    value.length <= maxWebsiteLength &&
    !/[\s\0]/.test(value) &&
    URL.canParse(value) &&
    /^https?:$/.test(new URL(value).protocol);
  return isWebsite ? { value } : { problem: 'Give an address such as https://example.com.' };
}

/** The ISO 3166-1 code of a country, in any letter case. */
function checkCountry(text: string): Checked {
  const value = text.trim().toUpperCase();
  return /^[A-Z]{2}$/.test(value)
    ? { value }
    : { problem: 'Give a two-letter ISO country code, such as US.' };
}

/** The IANA name of a time zone in any letter case; the value is as IANA spells it. */
function checkTimezone(text: string): Checked {
  const names = Intl.supportedValuesOf('timeZone');
  const trimmed = text.trim();
  const wanted = trimmed.toLowerCase().replaceAll(' ', '_');
  const known = names.find((name) => name.toLowerCase() === wanted);
  if (known !== undefined) return { value: known };
  if (/^[a-z]/.test(wanted) && isTimeZone(trimmed)) return { value: trimmed };
  const similar = names
    .filter((name) => wanted !== '' && name.toLowerCase().includes(wanted))
    .slice(0, 3);
  const examples = similar.length > 0 ? similar : ['America/Los_Angeles', 'Europe/Berlin'];
  return { problem: `Give an IANA time zone, such as ${examples.join(' or ')}.` };
}

/** Whether dates can be computed in a zone: `Intl` knows abbreviations such as PST, too. */
function isTimeZone(name: string): boolean {
  try {
    todayInZone(name, 0);
    return true;
  } catch {
    return false;
  }
}

/** The details of the studio that are one text each. */
export type StudioMember = Exclude<keyof StudioRow, 'id' | 'notices' | 'address_from' | 'language'>;

export const studioFields: Readonly<Record<StudioMember, FieldCheck>> = {
  name: textOf(120),
  description: textOf(2000),
  street: textOf(200),
  city: textOf(120),
  region: textOf(120),
  postal_code: textOf(20),
  country: checkCountry,
  email: checkEmail,
  phone: textOf(40),
  website: checkWebsite,
  timezone: checkTimezone,
};

/** The limit of notices: mails, calendar files and two pages show all of them. */
export const maxNotices = 10;

export const noticeFields: Readonly<Record<'title' | 'text', FieldCheck>> = {
  title: textOf(80),
  text: textOf(1000),
};
