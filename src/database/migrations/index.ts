import type { Migration } from 'kysely';
import * as calendarAndBookings from './0001-calendar-and-bookings.js';
import * as access from './0002-access.js';
import * as webhooks from './0003-webhooks.js';
import * as auditLog from './0004-audit-log.js';
import * as whyDisabled from './0005-why-disabled.js';
import * as liveBookings from './0006-live-bookings.js';
import * as changingBookings from './0007-changing-bookings.js';
import * as mail from './0008-mail.js';
import * as platforms from './0009-platforms.js';
import * as studioConsole from './0010-console.js';
import * as calendars from './0011-calendars.js';
import * as traces from './0012-traces.js';
import * as codes from './0013-codes.js';
import * as caps from './0014-caps.js';
import * as webhookCaps from './0015-webhook-caps.js';
import * as minimumVersion from './0016-minimum-version.js';
import * as mode from './0017-mode.js';
import * as readInPart from './0018-read-in-part.js';
import * as sessionEnds from './0019-session-ends.js';
import * as midnight from './0020-midnight.js';
import * as changes from './0021-changes.js';
import * as openings from './0025-openings.js';
import * as formNonces from './0027-form-nonces.js';
import * as zoneData from './0028-zone-data.js';
import * as addresses from './0029-addresses.js';
import * as corrections from './0030-corrections.js';
import * as closing from './0031-closing.js';
import * as foldedLetters from './0033-folded-letters.js';
import * as studioNotes from './0034-studio-notes.js';
import * as visits from './0035-visits.js';
import * as artists from './0036-artists.js';
import * as mailboxes from './0037-mailboxes.js';
import * as lastBooked from './0038-last-booked.js';
import * as dismissedMails from './0039-dismissed-mails.js';

/**
 * In their order. A released migration is never changed. One that changes what holds for slots begins
 * with `select raise_minimum_version('3.1.0')`, with its release: processes of earlier versions that still
 * run then take no slot, and are not ready.
 */
export const migrations: Record<string, Migration> = {
  '0001-calendar-and-bookings': calendarAndBookings,
  '0002-access': access,
  '0003-webhooks': webhooks,
  '0004-audit-log': auditLog,
  '0005-why-disabled': whyDisabled,
  '0006-live-bookings': liveBookings,
  '0007-changing-bookings': changingBookings,
  '0008-mail': mail,
  '0009-platforms': platforms,
  '0010-console': studioConsole,
  '0011-calendars': calendars,
  '0012-traces': traces,
  '0013-codes': codes,
  '0014-caps': caps,
  '0015-webhook-caps': webhookCaps,
  '0016-minimum-version': minimumVersion,
  '0017-mode': mode,
  '0018-read-in-part': readInPart,
  '0019-session-ends': sessionEnds,
  '0020-midnight': midnight,
  '0021-changes': changes,
  '0025-openings': openings,
  '0027-form-nonces': formNonces,
  '0028-zone-data': zoneData,
  '0029-addresses': addresses,
  '0030-corrections': corrections,
  '0031-closing': closing,
  '0033-folded-letters': foldedLetters,
  '0034-studio-notes': studioNotes,
  '0035-visits': visits,
  '0036-artists': artists,
  '0037-mailboxes': mailboxes,
  '0038-last-booked': lastBooked,
  '0039-dismissed-mails': dismissedMails,
};
