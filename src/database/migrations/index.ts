import type { Migration } from 'kysely';
import * as stop from './0040-stop.js';
import * as oneVersion from './0041-one-version.js';
import * as eventTypes from './0042-event-types.js';
import * as languages from './0043-languages.js';
import * as blocks from './0044-blocks.js';
import * as artistDays from './0045-artist-days.js';
import * as weeks from './0046-weeks.js';
import * as clientNotes from './0047-client-notes.js';
import * as artistSignIns from './0049-artist-sign-ins.js';
import * as baseline from './baseline/baseline.js';

/**
 * Named as the newest migration of 2.9, so that 2.9 refuses a later database with a sentence that names
 * the version to start.
 */
export const baselineName = '0039-dismissed-mails';

/**
 * The migrations in their order. A released one is never changed. One that changes the rules of slots
 * begins with `select raise_minimum_version('3.1.0')`, with its release: running processes of earlier
 * versions then take no slot, and are not ready.
 */
export const migrations: Record<string, Migration> = {
  [baselineName]: baseline,
  '0040-stop': stop,
  '0041-one-version': oneVersion,
  '0042-event-types': eventTypes,
  '0043-languages': languages,
  '0044-blocks': blocks,
  '0045-artist-days': artistDays,
  '0046-weeks': weeks,
  '0047-client-notes': clientNotes,
  '0049-artist-sign-ins': artistSignIns,
};
