import type { Component } from './components.js';
import { createOccurrenceBudget } from './limits.js';
import { type CalendarZones, parseMoment, parseOffset } from './moments.js';
import { findProperty, type Property, valueOf, valuesOf } from './property.js';
import { ruleInstances } from './rule-times.js';
import { localMs, type LocalMs, utcZone, type Zone } from './zones.js';

/** The range of a zone's computed rules; before and after it, the offset stays. */
const range = { from: localMs(1970, 1, 1), to: localMs(2100, 1, 1) };

/** More than any zone has, and few enough for each read. */
const mostOnsets = 5_000;
const mostOccurrences = 200_000;

/** A change of the clock. */
interface Onset {
  /** In the offset before it. */
  readonly local: LocalMs;
  readonly offsetFrom: number;
  readonly offsetTo: number;
}

/**
 * A time zone by its definition in a calendar (RFC 5545, 3.6.5), or null if that is unusable.
 *
 * @param definition a VTIMEZONE
 */
export function definedZone(id: string, definition: Component): Zone | null {
  let onsets: Onset[];
  try {
    onsets = definition.parts.flatMap(onsetsOf);
  } catch {
    return null;
  }
  onsets.sort((one, other) => one.local - other.local);
  const [first] = onsets;
  if (first === undefined || onsets.length > mostOnsets) return null;

  /** The offsets and the local times until which they apply: in a gap the one before it, as in 3.3.5. */
  const spans: { until: LocalMs; offset: number }[] = [];
  let offset = first.offsetFrom;
  for (const { local, offsetFrom, offsetTo } of onsets) {
    spans.push({ until: local - offsetFrom + Math.max(offset, offsetTo), offset });
    offset = offsetTo;
  }
  const last = offset;
  return {
    id,
    instantOf(local) {
      let low = 0;
      let high = spans.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((spans[middle]?.until ?? Infinity) > local) high = middle;
        else low = middle + 1;
      }
      return local - (spans[low]?.offset ?? last);
    },
  };
}

/** The changes to the time of an observance: its start, and those of its rules and dates. */
function onsetsOf({ properties }: Component): Onset[] {
  const offsetTo = parseOffset(valueOf(properties, 'TZOFFSETTO') ?? '');
  const start = findProperty(properties, 'DTSTART');
  if (offsetTo === null || start === null) return [];
  const offsetFrom = parseOffset(valueOf(properties, 'TZOFFSETFROM') ?? '') ?? offsetTo;
  const begins = parseMoment(start.value, start, clockTimes);
  const all = (name: string): Property[] => properties.filter((each) => each.name === name);
  const budget = createOccurrenceBudget(mostOccurrences);
  const locals = [
    begins.local,
    ...all('RRULE').flatMap(({ value }) => [
      ...ruleInstances(value, { ...begins, isDate: false }, { range, zones: clockTimes, budget }),
    ]),
    ...all('RDATE').flatMap((property) =>
      [...valuesOf(property)].map((value) => parseMoment(value, property, clockTimes).local),
    ),
  ];
  return [...new Set(locals)].map((local) => ({ local, offsetFrom, offsetTo }));
}

/** The times of a definition are on the clock of the zone. */
const clockTimes: CalendarZones = { studio: utcZone, floating: utcZone, named: () => utcZone };
