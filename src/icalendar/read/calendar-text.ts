import ICAL from 'ical.js';
import type { CalendarZones } from './moments.js';
import { type Property, textOf, UnreadableCalendarError } from './property.js';
import { definedZone, ianaZone, type Zone } from './zones.js';

type Component = readonly [
  name: string,
  properties: readonly Property[],
  components: readonly Component[],
];

/** A VEVENT component. */
export interface EventText {
  /** As written; null if there is none. */
  readonly uid: string | null;
  readonly properties: readonly Property[];
  readonly zones: CalendarZones;
}

/**
 * The events of a stream of calendars (RFC 5545, 3.4).
 *
 * @param timezone of times without one
 * @throws UnreadableCalendarError or an error of `ical.js` when a line or a component is broken
 */
export function readCalendarText(stream: string, timezone: string): EventText[] {
  const parsed = ICAL.parse(stream.trimStart()) as unknown[];
  // One calendar, or a list of them.
  const calendars = (typeof parsed[0] === 'string' ? [parsed] : parsed) as unknown as Component[];
  return calendars.flatMap((calendar) => eventsOf(calendar, ianaZone(timezone)));
}

function eventsOf([name, , components]: Component, studio: Zone): EventText[] {
  if (name !== 'vcalendar') throw new UnreadableCalendarError();
  const zones = createZones(studio, components);
  return components
    .filter(([component]) => component === 'vevent')
    .map(([, properties]) => ({ uid: textOf(properties, 'uid'), properties, zones }));
}

/**
 * The zones of a calendar by their names: the IANA database's, whose rules are complete, otherwise the
 * calendar's own, otherwise the studio's.
 */
function createZones(studio: Zone, components: readonly Component[]): CalendarZones {
  const definitions = new Map(
    components
      .filter(([name]) => name === 'vtimezone')
      .map((definition) => [textOf(definition[1], 'tzid'), definition]),
  );
  const known = new Map<string, Zone>();
  const find = (tzid: string): Zone => {
    try {
      return ianaZone(tzid);
    } catch {
      const definition = definitions.get(tzid);
      return (definition === undefined ? null : definedZone(definition)) ?? studio;
    }
  };
  return {
    studio,
    named(tzid) {
      let zone = known.get(tzid);
      if (zone === undefined) {
        zone = find(tzid);
        known.set(tzid, zone);
      }
      return zone;
    },
  };
}
