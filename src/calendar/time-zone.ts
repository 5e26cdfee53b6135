import { Temporal } from 'temporal-polyfill';

/**
 * The VTIMEZONE component (RFC 5545, 3.6.5) for one instant: the offset transitions before and
 * after it, from the same time zone data that determined the booking's instant.
 *
 * @param atMs ms since the epoch
 */
export function timeZoneComponent(timezone: string, atMs: number): string {
  const moment = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone);
  const changes = [
    moment.add({ nanoseconds: 1 }).getTimeZoneTransition('previous'),
    moment.getTimeZoneTransition('next'),
  ].filter((change) => change !== null);
  const observances = changes.map((change) =>
    observance(change.subtract({ nanoseconds: 1 }).offset, change.offset, localStart(change)),
  );
  const first = changes[0];
  if (first === undefined || first.epochMilliseconds > atMs) {
    observances.unshift(observance(moment.offset, moment.offset, '19700101T000000'));
  }
  return ['BEGIN:VTIMEZONE', `TZID:${timezone}`, ...observances, 'END:VTIMEZONE'].join('\r\n');
}

function observance(from: string, to: string, start: string): string {
  const kind = offsetMinutes(to) > offsetMinutes(from) ? 'DAYLIGHT' : 'STANDARD';
  return [
    `BEGIN:${kind}`,
    `DTSTART:${start}`,
    `TZOFFSETFROM:${from.replaceAll(':', '')}`,
    `TZOFFSETTO:${to.replaceAll(':', '')}`,
    `END:${kind}`,
  ].join('\r\n');
}

/** The local time of a transition in the offset before it, as 3.6.5 requires. */
function localStart(change: Temporal.ZonedDateTime): string {
  const before = change.subtract({ nanoseconds: 1 });
  return basicFormat(change.toInstant().toZonedDateTimeISO(before.offset).toPlainDateTime());
}

/** RFC 5545, 3.3.5: `20261201T090000`. */
function basicFormat(local: Temporal.PlainDateTime): string {
  return local.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '');
}

function offsetMinutes(offset: string): number {
  const [hours = '0', minutes = '0'] = offset.slice(1).split(':');
  return (Number(hours) * 60 + Number(minutes)) * (offset.startsWith('-') ? -1 : 1);
}
