import type { Kysely } from 'kysely';
import { retentionDays } from '../../config/limits.js';
import type { Database } from '../../database/rows/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import { deleteRevokedApiKeys } from '../../repositories/api-keys.js';
import { recordAudit } from '../../repositories/audit.js';
import { deleteOldVisits } from '../../repositories/console-sessions.js';
import { deleteOldMails } from '../../repositories/mail-admin.js';
import { eraseDuePersonalData } from '../../repositories/personal-data.js';
import {
  readNightRecords,
  readSettledInstant,
  recordHeldAfter,
  recordNight,
} from '../../repositories/retention.js';
import { deleteOldWebhooks } from '../../repositories/webhook-deliveries.js';
import { addDays } from '../../schedule/dates.js';
import { todayInZone } from '../../schedule/slots.js';

/*
 * Deletes everything that is deleted for good because of its age, while the clock is plausible: a start
 * with a clock a year ahead must not destroy what nobody can bring back. Holds, codes, sign-in links,
 * sessions of the console and challenges of passkeys need no such guard: they lapse by themselves,
 * safely, and a new one can be had at once. Nor does the list of events without mails while mail is off.
 */

const nightlyActor = 'nightly job';
/** In the studio's time zone. */
const nightBeginsAtHour = 3;
const hourMs = 3_600_000;
/** The most days from the last known night to a plausible one. */
const plausibleDays = 3;

type RetentionServices = Pick<DatabaseServices, 'database' | 'config' | 'log'>;

export interface Night {
  /** The present night, by the database's clock: the date on which it began. */
  night: string;
  /** Whether its deletions have been carried out. */
  isDone: boolean;
  /** The last known night; null where the database is too young for one. */
  known: string | null;
  /** The last known night, if the present one is implausibly far past it: then nothing is deleted. */
  heldAfter: string | null;
}

/**
 * The present night. The last known one is the last that was carried out, or that of the newest event at
 * least a day old; while deletions are held back, later events do not count.
 */
export async function readNight(database: Kysely<Database>): Promise<Night> {
  const { timezone, now, carriedOut, heldAfter: recorded } = await readNightRecords(database);
  const nightOf = (at: Date) => todayInZone(timezone, at.getTime() - nightBeginsAtHour * hourMs);
  const night = nightOf(now);
  if (carriedOut === night) return { night, isDone: true, known: night, heldAfter: null };
  const settled = recorded === null ? await readSettledInstant(database) : null;
  const others = [carriedOut, recorded, settled && nightOf(settled)]
    // One in the future comes from a wrong clock.
    .filter((each) => each !== null && each <= night)
    .toSorted();
  const known = others.at(-1) ?? null;
  const isPlausible = known === null || night <= addDays(known, plausibleDays);
  return { night, isDone: false, known, heldAfter: isPlausible ? null : known };
}

/**
 * The deletions by age of one process. Held back, they resume once the process has run for three days.
 * `uptimeMs`: a clock that only advances, whatever the time is set to.
 */
export function createRetention(
  services: RetentionServices,
  uptimeMs: () => number = () => performance.now(),
) {
  const { database, config, log } = services;
  let held: { night: string; sinceMs: number; warnedIn: string } | null = null;

  /** False once the process has held deletions back for three days by its own clock. */
  const holdBack = async (night: string, known: string): Promise<boolean> => {
    const isEven =
      held !== null && held.night <= night && night <= addDays(held.night, plausibleDays + 1);
    if (held === null || !isEven) held = { night, sinceMs: uptimeMs(), warnedIn: '' };
    if (uptimeMs() - held.sinceMs >= plausibleDays * 24 * hourMs) return false;
    if (held.warnedIn !== night) {
      held.warnedIn = night;
      await recordHeldAfter(database, known);
      log.warn(
        { night, known },
        'the clock is more than three days past the last known night: nothing is deleted by age; see studio doctor',
      );
    }
    return true;
  };

  return {
    /**
     * Deletes a batch of what is past its time, and once a night erases personal data past its retention,
     * at the first call after 03:00 in any process. The next call catches up on a missed night;
     * concurrent calls erase each booking once. Returns the number of erased bookings; null if this night
     * is done or held back.
     */
    async apply(): Promise<number | null> {
      const { night, isDone, known, heldAfter } = await readNight(database);
      if (heldAfter !== null && (await holdBack(night, heldAfter))) return null;
      held = null;
      await deleteOldWebhooks(database, retentionDays.webhooks);
      await deleteOldMails(database, retentionDays.mails);
      if (isDone) return null;
      let erased = 0;
      // A database's first night has no known one before.
      if (known !== null) {
        erased = await eraseAllDue(services);
        await deleteRevokedApiKeys(database, config.retentionUnconfirmedDays);
        await deleteOldVisits(database);
      }
      await recordNight(database, night);
      return erased;
    },
  };
}

async function eraseAllDue({ database, config }: RetentionServices): Promise<number> {
  const retention = {
    unconfirmedDays: config.retentionUnconfirmedDays,
    confirmedDays: config.retentionConfirmedDays,
  };
  let total = 0;
  for (;;) {
    const erased = await database.transaction().execute(async (transaction) => {
      const bookings = await eraseDuePersonalData(transaction, retention);
      if (bookings > 0) {
        await recordAudit(transaction, nightlyActor, 'personal data erase', { bookings });
      }
      return bookings;
    });
    if (erased === 0) return total;
    total += erased;
  }
}

/** Resumes deletions that are held back: somebody has checked the clock. */
export async function resumeRetention(
  { database }: Pick<DatabaseServices, 'database'>,
  actor: string,
  { night }: Pick<Night, 'night'>,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await recordHeldAfter(transaction, night);
    await recordAudit(transaction, actor, 'retention resume', { night });
  });
}
