import { existsSync } from 'node:fs';
import type { Config } from '../../config/config.js';
import { measureClock } from '../../database/clock.js';
import { readLatestInstant, readServerFacts, readWallClock } from '../../database/diagnostics.js';
import { freeBytes } from '../../database/embedded/data-folder.js';
import {
  findKeyring,
  missingKeyText,
  readKeyId,
  wrongKeyText,
} from '../../database/installation-key.js';
import { readNight } from '../../domain/studio/retention.js';
import { newInstantOf, ownZoneData } from '../../domain/studio/zone-data.js';
import { readStudio } from '../../repositories/studio-settings.js';
import { readZoneRecords, type ZoneRecord } from '../../repositories/zone-data.js';
import { slotStartsAt, timeSlots, wallClockHours } from '../../schedule/slots.js';
import { bookingLabel } from '../../schedule/words.js';
import { failure, type Finding, ok, warning } from '../failure.js';
import type { Session } from '../session.js';
import { count } from '../text.js';

const clockToleranceMs = 2_000;
const lowDiskBytes = 1_000_000_000;
const criticalDiskBytes = 100_000_000;

export async function checkKey({ config, services }: Session): Promise<Finding> {
  const keyring = await findKeyring(config);
  const keyId = await readKeyId(services.database);
  if (keyring === null) return failure(missingKeyText);
  if (keyId === keyring.currentKeyId) return ok('The secret key matches the database.');
  if (keyId === null || keyId === keyring.previousKeyId) {
    return ok('The database switches to this secret key when the service starts next.');
  }
  return failure(wrongKeyText(config));
}

/** Checks the clock. An embedded database has this machine's: only records show that it is behind. */
export async function checkClock({ services }: Session): Promise<Finding> {
  const { database, clock } = services;
  const offset = Math.round(await measureClock(database, clock));
  const message = `The database's clock is ${durationText(Math.abs(offset))} ${offset < 0 ? 'behind' : 'ahead of'} this machine's.`;
  const latest = await readLatestInstant(database);
  if (latest !== null && latest.getTime() > clock.now() + clockToleranceMs) {
    return warning(
      `An event is of ${latest.toISOString()}, and the database's clock shows ${new Date(clock.now()).toISOString()}: it is behind, or was ahead then. Set it with NTP, and restart the service.`,
    );
  }
  return Math.abs(offset) <= clockToleranceMs
    ? ok(message)
    : warning(`${message} The database's clock is authoritative; synchronize both with NTP.`);
}

/** Warns while nothing is deleted by age, because the clock may be ahead. */
export async function checkRetention({ services }: Session): Promise<Finding> {
  const { night, heldAfter } = await readNight(services.database);
  return heldAfter === null
    ? ok('What is past its retention is deleted every night.')
    : warning(
        `${heldBackText(night, heldAfter)} Set the clock if that is wrong; if it is right, run "studio retention resume".`,
      );
}

/** Why nothing is deleted by age; `night` and `known` are dates. */
export function heldBackText(night: string, known: string): string {
  return `Nothing is deleted by age: the database's clock shows the night of ${night}, and the service last ran, as far as it knows, on ${known}.`;
}

const units = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
] as const;

function durationText(milliseconds: number): string {
  const [length, unit] = units.find(([length]) => milliseconds >= 2 * length) ?? [];
  return length === undefined
    ? `${milliseconds} ms`
    : count(Math.round(milliseconds / length), unit);
}

/** Compares a year of dates, to cover both changes of daylight-saving time. */
export async function checkTimeZones({ services }: Session): Promise<Finding> {
  const { timezone } = await readStudio(services.database);
  const hours = timeSlots.map((slot) => wallClockHours[slot]);
  const databaseTimes = await readWallClock(services.database, timezone, hours, 366);
  const differing = databaseTimes.filter(({ date, hour, epochMs }) =>
    timeSlots.some(
      (slot) =>
        wallClockHours[slot] === hour && slotStartsAt(timezone, date, slot).epochMs !== epochMs,
    ),
  );
  const [first] = differing;
  return first === undefined
    ? ok(`Node.js and the database agree on ${timezone} for the next year.`)
    : warning(
        `Node.js and the database disagree on ${timezone} from ${first.date} on: update the time zone data of both. Session times follow Node.js.`,
      );
}

export async function checkDisk({ config, services }: Session): Promise<Finding> {
  const { databaseBytes } = await readServerFacts(services.database);
  const size = `The database occupies ${megabytes(databaseBytes)}`;
  if (config.databaseUrl !== null) return ok(`${size}.`);
  const { status, message } = await checkFreeSpace(config);
  return { status, message: `${size}. ${message}` };
}

export async function checkFreeSpace({ dataDir }: Config): Promise<Finding> {
  if (!existsSync(dataDir)) return ok(`There is no folder ${dataDir} yet.`);
  const free = await freeBytes(dataDir);
  const message = `${megabytes(free)} are free in DATA_DIR`;
  if (free >= lowDiskBytes) return ok(`${message}.`);
  const mend = `delete files on its disk, or stop the service and move ${dataDir} to a larger one. Once it is full, nothing is booked.`;
  return (free < criticalDiskBytes ? failure : warning)(`${message}: ${mend}`);
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000).toLocaleString('en-US')} MB`;
}

/** The maximum number of bookings that are named. */
const namedLimit = 10;

/** Compares the instants of live bookings to come with their labels, by the data of this process. */
export async function checkZoneData({ services }: Session): Promise<Finding> {
  const { version } = ownZoneData;
  const zones = await readZoneRecords(services.database);
  const newer = zones.filter((zone) => zone.version !== null && zone.version > (version ?? ''));
  const disagreeing = zones.flatMap((zone) => disagreementsOf(zone));
  const isOlder = newer.length > 0;
  const message = [
    `This Node.js has time zone data ${version ?? 'of an unknown version'}; the database records ${recordsOf(zones)}.`,
    isOlder &&
      'Run the service with a Node.js that has the data recorded: what was booked keeps its instants, but new bookings get those of older data.',
    disagreeing.length > 0 &&
      `By the ${isOlder ? 'older ' : ''}data of this Node.js, ${count(disagreeing.length, 'booking')} ${disagreeing.length === 1 ? 'starts' : 'start'} at another instant than the label says: ${listed(disagreeing)}.`,
    disagreeing.length > 0 &&
      !isOlder &&
      version !== null &&
      'The service changes each once, at its start or within a minute while it runs with these data, and mails the person.',
  ].filter((sentence) => sentence !== false);
  const isWrong = isOlder || disagreeing.length > 0 || version === null;
  return (isWrong ? warning : ok)(message.join(' '));
}

function listed(texts: readonly string[]): string {
  const more = texts.length - namedLimit;
  return [...texts.slice(0, namedLimit), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

function recordsOf(zones: readonly ZoneRecord[]): string {
  return zones.map(({ timezone, version }) => `${version ?? 'none'} for ${timezone}`).join(', ');
}

function disagreementsOf({ timezone, bookings }: ZoneRecord): string[] {
  return bookings.flatMap((booking) => {
    const instant = newInstantOf(timezone, booking, ownZoneData);
    return instant === null
      ? []
      : `${booking.id} (${bookingLabel(booking)}; stored ${booking.startsAtText}, by these data ${instant.startsAtText})`;
  });
}
