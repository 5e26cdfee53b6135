import { windowsZones } from '../../../generated/windows-zones.js';
import type { Component } from './components.js';
import { definedZone } from './defined-zone.js';
import type { CalendarZones } from './moments.js';
import { parseOffset } from './moments.js';
import type { ReadingNotes } from './notes.js';
import { unescaped, valueOf } from './property.js';
import {
  fixedZone,
  hourMs,
  ianaZone,
  spanningZone,
  unknownZone,
  utcZone,
  type Zone,
} from './zones.js';

/** Longer than any name of a zone. */
const longestName = 200;

/**
 * The zones of a calendar by their names. The rules of the IANA database are complete, so they come
 * before the calendar's own; a name that means nothing is told.
 *
 * @param floating the name of the zone of times without one; null for the studio's
 */
export function createZones(
  studio: string,
  definitions: readonly Component[],
  { floating, notes }: { floating: { name: string; line: number } | null; notes: ReadingNotes },
): CalendarZones {
  const known = new Map<string, Zone>();
  const named = (tzid: string, line: number): Zone => {
    const name = normalized(tzid);
    let zone = known.get(name);
    if (zone === undefined) {
      zone = findZone(name, definitions) ?? unknownZone();
      known.set(name, zone);
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

function findZone(name: string, definitions: readonly Component[]): Zone | null {
  const own = definitions.filter(
    ({ properties }) => normalized(valueOf(properties, 'TZID') ?? '') === name,
  );
  return (
    iana(name) ??
    firstOf(own, (definition) => definedZone(name, definition)) ??
    firstOf(own, ({ properties }) => commonZone(valueOf(properties, 'X-LIC-LOCATION') ?? '')) ??
    commonZone(name)
  );
}

function firstOf<Item>(items: readonly Item[], find: (item: Item) => Zone | null): Zone | null {
  for (const item of items) {
    const zone = find(item);
    if (zone !== null) return zone;
  }
  return null;
}

/** What programs write in place of a name of the IANA database. */
function commonZone(name: string): Zone | null {
  return iana(name) ?? windows(name) ?? lastParts(name) ?? spelled(name) ?? described(name);
}

function iana(name: string): Zone | null {
  // Of offsets, `described` knows more forms.
  if (!/^[A-Za-z]/.test(name)) return null;
  try {
    return ianaZone(name);
  } catch {
    return null;
  }
}

/** Names as Windows has them, also without their ending: `Pacific Standard Time`, `Eastern Time`. */
function windows(name: string): Zone | null {
  const bare = name.toLowerCase().replace(/ (standard|daylight|summer)? ?time$/, '');
  const known = windowsZones.get(`${bare} standard time`) ?? windowsZones.get(name.toLowerCase());
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

/** Other spellings: `Europe-Berlin`, `America_New_York`, `New York`, and what has names of its own. */
function spelled(name: string): Zone | null {
  if (/^(z|greenwich( mean)?( time)?|zulu|coordinated universal time)$/i.test(name)) {
    return utcZone;
  }
  const joined = name.replace(/[ _-]+/g, '_');
  return (
    iana(joined) ?? iana(joined.replace('_', '/')) ?? iana(cities().get(joined.toLowerCase()) ?? '')
  );
}

let knownCities: Map<string, string> | undefined;

/** The zones by the last part of their name, in lower case. */
function cities(): Map<string, string> {
  knownCities ??= new Map(
    Intl.supportedValuesOf('timeZone').map((name) => [
      name.slice(name.lastIndexOf('/') + 1).toLowerCase(),
      name,
    ]),
  );
  return knownCities;
}

const describedPattern = /^\(?\s*(?:UTC|GMT|Z)?\s*([+\-\u2212]?\d{1,2}(?::?\d\d)?)?\s*\)?\s*(.*)$/i;

/**
 * An offset and what it is for: `(UTC-05:00) Eastern Time (US & Canada)`, `(UTC+01:00) Amsterdam,
 * Berlin`, `GMT+0200`. Of a place that is not known, the clock may be an hour ahead in summer.
 */
function described(name: string): Zone | null {
  const match = describedPattern.exec(name);
  const isBracket = name.startsWith('(');
  if (match === null || (!isBracket && (match[2] ?? '') !== '')) return null;
  const [, offset = '+00:00', words = ''] = match;
  const places = [words, ...words.split(','), words.replace(/\(.*/, '')].map((each) => each.trim());
  const placed = firstOf(
    places.filter((place) => place !== ''),
    (place) => iana(place) ?? windows(place) ?? spelled(place),
  );
  if (placed !== null) return placed;
  if (match[1] === undefined && !isBracket) return null;
  const ms = parseOffset(fullOffset(offset));
  if (ms === null) return null;
  return words === '' ? fixedZone(name, ms) : spanningZone(name, { most: ms + hourMs, least: ms });
}

/** `-5`, `+0530`, `−05:00`: with both digits of the hours and the minutes. */
function fullOffset(text: string): string {
  const [, sign = '', hours = '', minutes = '00'] =
    /^([+\-\u2212]?)(\d\d?):?(\d\d)?$/.exec(text) ?? [];
  return `${sign === '' ? '+' : sign.replace('\u2212', '-')}${hours.padStart(2, '0')}:${minutes}`;
}
