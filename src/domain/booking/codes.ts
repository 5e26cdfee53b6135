import type { Caller } from '../../access/caller.js';
import type { AccessServices } from '../../access/services.js';
import { warnDaily } from '../../access/warnings.js';
import type { CalendarServices } from '../../board/services.js';
import type { CodeShare } from '../../database/rows/mails.js';
import type { BookingRow, BookingStatus } from '../../database/rows/schema.js';
import {
  countCodeTry,
  insertCode,
  listRecentCodes,
  openCode,
  readBrowserCode,
  readStudioWaits,
  type BrowserCode,
  type RecentCode,
} from '../../repositories/codes.js';
import type { ModeRecord } from '../../repositories/installation.js';
import { lockMails } from '../../repositories/mail-dispatch.js';
import type { Proof } from '../../repositories/proof.js';
import { isConfirmationCode, readTypedCode } from '../../secrets/confirmation-code.js';
import { sha256 } from '../../secrets/keyring.js';
import { budgetOf, studioShares } from './code-budgets.js';

export type CodeServices = Pick<CalendarServices, 'database' | 'board' | 'config' | 'keyring'>;

type Booking = Pick<BookingRow, 'id'>;

/** The time within which asking again is the same request, sent twice. */
const askedTwiceSeconds = 30;

/**
 * The mode in which confirming a hold, or moving or cancelling a confirmed session, needs a code
 * (src/decisions.md).
 */
function modeNeedingCode(status: BookingStatus): ModeRecord | null {
  if (status === 'pending') return 'code_on';
  return status === 'confirmed' ? 'mail_on' : null;
}

/** Whether a change needs a code by the board's mode: the statement of the change reads it again. */
async function needsCode(
  { board }: Pick<CodeServices, 'board'>,
  status: BookingStatus,
): Promise<boolean> {
  const { mode } = await board.read();
  const isOn: Record<ModeRecord, boolean> = {
    mail_on: mode.mail,
    code_on: mode.confirmation === 'code',
  };
  const record = modeNeedingCode(status);
  return record !== null && isOn[record];
}

/**
 * What the transaction of a change checks and spends; null if the browser has not typed the code that the
 * change needs. `browser`: the nonce that the browser got with a code; null without one.
 */
export async function findProof(
  context: CodeServices,
  booking: Booking,
  status: BookingStatus,
  browser: string | null,
): Promise<Proof | null> {
  const proof = { modeNeedingCode: modeNeedingCode(status), browserHash: hashOf(browser) };
  if (!(await needsCode(context, status))) return proof;
  return (await findCode(context, booking, browser))?.isOpen === true ? proof : null;
}

async function findCode(
  { database }: Pick<CodeServices, 'database'>,
  { id }: Booking,
  browser: string | null,
): Promise<BrowserCode | null> {
  const browserHash = hashOf(browser);
  return browserHash === null ? null : readBrowserCode(database, id, browserHash);
}

function hashOf(browser: string | null): Buffer | null {
  return browser === null ? null : sha256(browser);
}

/** The step before the button of a booking's page. */
export type CodeStep =
  /** No code is needed, or the browser has typed one. */
  | { step: 'none' }
  /** There is no address to send a code to. */
  | { step: 'no_address' }
  | { step: 'ask' }
  | { step: 'enter'; sentAt: Date; lapsesAt: Date; hasFailed: boolean };

export async function findCodeStep(
  context: CodeServices,
  booking: BookingRow,
  status: BookingStatus,
  browser: string | null,
): Promise<CodeStep> {
  if (!(await needsCode(context, status))) return { step: 'none' };
  const code = await findCode(context, booking, browser);
  if (code?.isOpen === true) return { step: 'none' };
  if (booking.email === null) return { step: 'no_address' };
  if (code?.isLive !== true) return { step: 'ask' };
  const { createdAt: sentAt, lapsesAt, status: mailStatus } = code;
  const hasFailed = mailStatus === 'failed' || mailStatus === 'dropped';
  return { step: 'enter', sentAt, lapsesAt, hasFailed };
}

export type CodeRefusal =
  /** The digits are not those of the browser's code. Null: no try was counted. */
  | { outcome: 'code_invalid'; triesLeft: number | null }
  /** The browser has no code that can be typed: nothing was compared. */
  | { outcome: 'code_missing' }
  /** Too many codes were asked for: for the booking, from the network, or in the whole studio. */
  | { outcome: 'code_exhausted'; of: ExhaustedLimit; retryAfterSeconds: number };

type ExhaustedLimit = 'booking' | 'network' | 'studio';

export type CodeRequest = { outcome: 'sent' } | { outcome: 'not_needed' } | CodeRefusal;

/** Sends a code to the address of the booking, for that browser; at most once within 30 seconds. */
export async function sendCode(
  context: CodeServices & Pick<AccessServices, 'limitStore' | 'log'>,
  { id: bookingId }: Booking,
  status: BookingStatus,
  browser: string,
  caller: Pick<Caller, 'network' | 'personHashes'>,
): Promise<CodeRequest> {
  const { config, database, keyring } = context;
  if (!(await needsCode(context, status))) return { outcome: 'not_needed' };
  const networkHashes =
    caller.personHashes ?? keyring.fingerprints(caller.network, 'caller network');
  const asker = { bookingId, browserHash: sha256(browser), networkHashes };
  const sizes = studioShares(config.maxCodesPerHour);
  const request = await database
    .transaction()
    .execute(async (transaction): Promise<CodeRequest> => {
      await lockMails(transaction);
      const recent = await listRecentCodes(transaction, asker);
      const own = recent.find(({ isOfBrowser }) => isOfBrowser);
      if (own?.isOpen === true) return { outcome: 'not_needed' };
      if (own?.isLive === true && own.ageSeconds < askedTwiceSeconds) return { outcome: 'sent' };
      const budget = budgetOf(recent);
      if (!budget.allowed) return exhausted(budget.of, budget.retryAfterSeconds);

      const shares = sharesFor(status, recent).filter((share) => sizes[share] > 0);
      const waits = await readStudioWaits(transaction, sizes);
      const share = shares.find((candidate) => waits[candidate] === 0);
      if (share === undefined) {
        return exhausted('studio', Math.min(...shares.map((candidate) => waits[candidate])));
      }
      const { isBeyondTotals } = budget;
      const isSent = await insertCode(transaction, asker, { share, isBeyondTotals });
      return { outcome: isSent ? 'sent' : 'not_needed' };
    });
  if (request.outcome === 'code_exhausted' && request.of === 'studio') reportUsedUp(context);
  return request;
}

/** The shares of the studio's budget that a code may take: the common one while it lasts. */
function sharesFor(status: BookingStatus, recent: readonly RecentCode[]): CodeShare[] {
  const shares: CodeShare[] = ['common'];
  if (status === 'confirmed') shares.push('confirmed');
  if (!recent.some(({ isOfNetwork }) => isOfNetwork)) shares.push('new_network');
  return shares;
}

function reportUsedUp(context: Pick<AccessServices, 'config' | 'limitStore' | 'log'>): void {
  warnDaily(context, 'codes used up', {
    facts: { max_codes_per_hour: context.config.maxCodesPerHour },
    message:
      'the codes that the studio sends in an hour are used up, and people are refused more; MAX_CODES_PER_HOUR is the limit',
  });
}

export type Opening = { outcome: 'opened' } | CodeRefusal;

/**
 * Compares the typed code with the newest of the browser, after the try is counted and committed. A right
 * code is no try, and lets the browser change the booking for 15 minutes.
 */
export async function openWithCode(
  context: CodeServices,
  booking: Booking,
  status: BookingStatus,
  browser: string | null,
  typed: unknown,
): Promise<Opening> {
  if ((await findProof(context, booking, status, browser)) !== null) return { outcome: 'opened' };
  const code = readTypedCode(typed);
  if (code === null) return { outcome: 'code_invalid', triesLeft: null };
  const { database, keyring } = context;
  const browserHash = hashOf(browser);
  const counted = browserHash && (await countCodeTry(database, booking.id, browserHash));
  if (counted === null) return { outcome: 'code_missing' };
  const { mailId, triesLeft } = counted;
  if (!isConfirmationCode(keyring, mailId, code)) return { outcome: 'code_invalid', triesLeft };
  await openCode(database, mailId);
  return { outcome: 'opened' };
}

function exhausted(of: ExhaustedLimit, seconds: number): CodeRefusal {
  return { outcome: 'code_exhausted', of, retryAfterSeconds: Math.max(1, Math.ceil(seconds)) };
}
