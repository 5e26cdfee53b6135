import { windowsZones } from '../../../generated/windows-zones.js';
import type { Component } from './components.js';
import { definedZone } from './defined-zone.js';
import type { CalendarZones } from './moments.js';
import { parseOffset } from './moments.js';
import type { ReadingNotes } from './notes.js';
import { unescaped, valueOf } from './property.js';
import {
  eitherZone,
  fixedZone,
  hourMs,
  ianaZone,
  spanningZone,
  unknownZone,
  type Zone,
} from './zones.js';

/** Longer than any name of a zone. */
const longestName = 200;

/**
 * The zones of a calendar by their names. The rules of the IANA database are complete, so they come
 * before the calendar's own; a name that means nothing is reported.
 *
 * @param floating the name of the zone of times without one; null for the studio's
 * @param isImport whether PST is UTC-8 in summer, too, as imports read it, rather than open
 */
export function createZones(
  studio: string,
  definitions: readonly Component[],
  {
    floating,
    notes,
    isImport = false,
  }: {
    floating: { name: string; line: number } | null;
    notes: ReadingNotes;
    isImport?: boolean;
  },
): CalendarZones {
  const known = new Map<string, Zone>();
  const named = (tzid: string, line: number): Zone => {
    const name = normalized(tzid);
    const key = name.toLowerCase();
    let zone = known.get(key);
    if (zone === undefined) {
      zone = findZone(name, definitions, isImport) ?? unknownZone();
      known.set(key, zone);
      notes.nameZone(name, zone.id);
      if (zone.latestOf !== undefined) notes.add(line, 'zone');
    }
    return zone;
  };
  const studioZone = ianaZone(studio);
  return {
    studio: studioZone,
    get floating() {
      return floating === null ? studioZone : named(floating.name, floating.line);
    },
    named,
  };
}

function normalized(tzid: string): string {
  return unescaped(tzid).replaceAll('"', '').replace(/\s+/g, ' ').trim().slice(0, longestName);
}

function findZone(name: string, definitions: readonly Component[], isImport: boolean): Zone | null {
  const abbreviated = abbreviatedZone(name, isImport);
  const own = definitions.filter(
    ({ properties }) =>
      normalized(valueOf(properties, 'TZID') ?? '').toLowerCase() === name.toLowerCase(),
  );
  return (
    (abbreviated === null ? iana(name) : null) ??
    firstOf(own, (definition) => definedZone(name, definition)) ??
    firstOf(own, ({ properties }) => commonZone(valueOf(properties, 'X-LIC-LOCATION') ?? '')) ??
    abbreviated ??
    commonZone(name)
  );
}

/** The abbreviations of the United States: the hours of standard time, and the place. */
const usZones: ReadonlyMap<string, readonly [hours: number, place: string]> = new Map([
  ['E', [-5, 'America/New_York']],
  ['C', [-6, 'America/Chicago']],
  ['M', [-7, 'America/Denver']],
  ['P', [-8, 'America/Los_Angeles']],
  ['AK', [-9, 'America/Anchorage']],
]);

/**
 * `PT` is a place. `PST` is UTC-8 in mails (RFC 5322, 4.3), as EST is in the IANA database; but many mean
 * the clock of the place, so that in summer it can be either.
 */
function abbreviatedZone(name: string, isImport: boolean): Zone | null {
  const [, letters = '', kind] = /^(AK|[CEMP])([DS]?)T$/.exec(name.toUpperCase()) ?? [];
  const [standard = 0, place] = usZones.get(letters) ?? [];
  if (place === undefined) return null;
  if (kind === '') return ianaZone(place);
  const hours = kind === 'D' ? standard + 1 : standard;
  const fixed = fixedZone(name, hours * hourMs);
  return isImport ? fixed : eitherZone(`${place} or UTC${hours}`, ianaZone(place), fixed);
}

function firstOf<Item>(items: readonly Item[], find: (item: Item) => Zone | null): Zone | null {
  for (const item of items) {
    const zone = find(item);
    if (zone !== null) return zone;
  }
  return null;
}

/** Common names in place of one of the IANA database. */
function commonZone(name: string): Zone | null {
  return iana(name) ?? windows(name) ?? lastParts(name) ?? spelled(name) ?? described(name);
}

function iana(name: string): Zone | null {
  // `described` knows more forms of offsets.
  if (!/^[A-Za-z]/.test(name)) return null;
  try {
    return ianaZone(name);
  } catch {
    return null;
  }
}

/** Names as Windows has them, also without their ending: `Pacific Standard Time`, `Eastern Time`. */
function windows(name: string): Zone | null {
  const lowerCase = name.toLowerCase();
  const bare = lowerCase.replace(/ \d$/, '').replace(/ (?:standard |daylight |summer )?time$/, '');
  const known = windowsZones.get(lowerCase) ?? windowsZones.get(`${bare} standard time`);
  return known === undefined ? null : iana(known);
}

/** `/citadel.org/20210210_1/Europe/Berlin`: the last three, two or one parts. */
function lastParts(name: string): Zone | null {
  const parts = name.split('/').filter((part) => part !== '');
  if (!name.includes('/')) return null;
  return firstOf([3, 2, 1], (count) => {
    const last = parts.slice(-count).join('/');
    return parts.length < count || last === name ? null : (iana(last) ?? windows(last));
  });
}

const regions = ['Europe', 'America', 'US', 'Asia', 'Africa', 'Australia', 'Pacific', 'Atlantic'];

/** Names that are in no other table. */
const otherNames = new Map([
  ['z', 'UTC'],
  ['zulu', 'UTC'],
  ['greenwich_mean_time', 'UTC'],
  ['coordinated_universal_time', 'UTC'],
  ['western_european_time', 'Europe/Lisbon'],
  ['eastern_european_time', 'Europe/Athens'],
]);

/** Other spellings: `Europe-Berlin`, `America_New_York`, `New York`, `Argentina/Buenos_Aires`. */
function spelled(name: string): Zone | null {
  const joined = name.replace(/[ _-]+/g, '_');
  const city = joined.slice(joined.lastIndexOf('/') + 1);
  return (
    iana(otherNames.get(joined.toLowerCase()) ?? joined) ??
    iana(joined.replace('_', '/')) ??
    firstOf(regions, (region) => iana(`${region}/${city}`))
  );
}

const describedPattern =
  /^\(?\s*(?:UTC|GMT)?\s*([+\-\u2212]?\d{1,2}(?:[:.]?\d\d)?)?\s*\)?\s*(.*)$/i;

/**
 * An offset with a description: `(UTC-05:00) Eastern Time (US & Canada)`, `(UTC+01:00) Amsterdam,
 * Berlin`, `GMT+0200`, `Pacific Time (US & Canada)`. In summer, an unknown place may be an hour ahead.
 */
function described(name: string): Zone | null {
  const [, offset, words = ''] = describedPattern.exec(name) ?? [];
  const places = [words.replace(/\(.*/, ''), ...words.split(/[,;/]/)].map((each) => each.trim());
  const placed = firstOf(
    places.filter((place) => place !== ''),
    (place) => iana(place) ?? windows(place) ?? spelled(place),
  );
  const ms = offset === undefined ? null : parseOffset(fullOffset(offset));
  if (placed !== null || ms === null) return placed;
  if (words === '') return fixedZone(name, ms);
  return name.startsWith('(') ? spanningZone(name, { most: ms + hourMs, least: ms }) : null;
}

/** `-5`, `+0530`, `−05:00`, `+01.00`: with both digits of the hours and the minutes. */
function fullOffset(text: string): string {
  const [, sign = '', hours = '', minutes = '00'] =
    /^([+\-\u2212]?)(\d\d?)[:.]?(\d\d)?$/.exec(text) ?? [];
  return `${sign === '' ? '+' : sign.replace('\u2212', '-')}${hours.padStart(2, '0')}:${minutes}`;
}
