import type { Config } from '../config.js';
import type { DatabaseServices } from '../database/services.js';
import type { BookingRow, BookingStatus } from '../database/schema.js';
import { lockMails } from '../repositories/mail-dispatch.js';
import {
  countCodeTry,
  insertCode,
  listRecentCodes,
  readCodeState,
  useCode,
  type Code,
  type CodeState,
} from '../repositories/codes.js';
import {
  createPass,
  isConfirmationCode,
  isPassValid,
  readTypedCode,
} from '../platform/confirmation-code.js';
import { codeLimits, codeOpensSeconds } from '../platform/fixed-limits.js';

export type CodeServices = Pick<DatabaseServices, 'database' | 'clock' | 'config' | 'keyring'>;

const hourSeconds = 3_600;
const daySeconds = 86_400;

/** Within this time, asking again is the same request, sent twice. */
const askedTwiceSeconds = 30;

/**
 * Whether a code is needed to confirm a hold, as where CONFIRMATION is `code`, or to move or cancel a
 * confirmed session, as where mail is on: its link lies in an agent's transcript for months.
 */
export function needsCode(
  { confirmation, mail }: Pick<Config, 'confirmation' | 'mail'>,
  status: BookingStatus,
): boolean {
  if (status === 'pending') return confirmation === 'code';
  return status === 'confirmed' && mail !== null;
}

/** Whether that change may be made: it needs no code, or the browser's pass is valid. */
export function isProven(
  { clock, config, keyring }: CodeServices,
  { id }: Pick<BookingRow, 'id'>,
  status: BookingStatus,
  pass: string | null,
): boolean {
  if (!needsCode(config, status)) return true;
  return pass !== null && isPassValid(keyring, id, pass, clock.now());
}

/** What the page of a booking asks for before its button. */
export type CodeStep =
  /** Nothing: no code is needed, or the browser has typed one. */
  | { step: 'none' }
  /** There is no address to send a code to. */
  | { step: 'no_address' }
  /** No code is accepted until then. */
  | { step: 'exhausted'; until: Date }
  | { step: 'ask' }
  | { step: 'enter'; sentAt: Date; lapsesAt: Date; hasFailed: boolean; triesLeft: number };

export async function findCodeStep(
  context: CodeServices,
  booking: BookingRow,
  status: BookingStatus,
  pass: string | null,
): Promise<CodeStep> {
  if (isProven(context, booking, status, pass)) return { step: 'none' };
  if (booking.email === null) return { step: 'no_address' };
  const state = await readCodeState(context.database, booking.id);
  if (state === null) return { step: 'no_address' };
  const { newest, now, triesLeft, triesEndAt } = state;
  if (triesLeft <= 0 && triesEndAt !== null) return { step: 'exhausted', until: triesEndAt };
  if (newest === null || !isAcceptable(newest, now)) return { step: 'ask' };
  const { createdAt: sentAt, lapsesAt, status: mailStatus } = newest;
  const hasFailed = mailStatus === 'failed' || mailStatus === 'dropped';
  return { step: 'enter', sentAt, lapsesAt, hasFailed, triesLeft };
}

function isAcceptable({ usedAt, lapsesAt }: Code, now: Date): boolean {
  return usedAt === null && lapsesAt > now;
}

export type CodeRefusal =
  /** The digits are not those of the newest code, or it is used or lapsed. Null: no try was counted. */
  | { outcome: 'code_invalid'; triesLeft: number | null }
  /** Too many codes were asked for, or tried. */
  | { outcome: 'code_exhausted'; of: 'codes' | 'tries'; retryAfterSeconds: number };

export type CodeRequest = { outcome: 'sent' } | { outcome: 'not_needed' } | CodeRefusal;

/** Sends a code to the address of the booking; at most once within 30 seconds. */
export async function sendCode(
  { config, database }: CodeServices,
  { id }: Pick<BookingRow, 'id'>,
  status: BookingStatus,
): Promise<CodeRequest> {
  if (config.mail === null || !needsCode(config, status)) return { outcome: 'not_needed' };
  return database.transaction().execute(async (transaction): Promise<CodeRequest> => {
    await lockMails(transaction);
    const state = await readCodeState(transaction, id);
    if (state === null) return { outcome: 'not_needed' };
    if (state.triesLeft <= 0) return triesExhausted(state);
    const { newest, now } = state;
    if (
      newest !== null &&
      isAcceptable(newest, now) &&
      secondsBetween(newest.createdAt, now) < askedTwiceSeconds
    ) {
      return { outcome: 'sent' };
    }
    const recent = await listRecentCodes(transaction, id);
    const ofBooking = recent.filter(({ isOfBooking }) => isOfBooking);
    const waitSeconds = Math.max(
      secondsToWait(ofBooking, codeLimits.perBookingHour, hourSeconds),
      secondsToWait(recent, codeLimits.perMailboxHour, hourSeconds),
      secondsToWait(recent, codeLimits.perMailboxDay, daySeconds),
    );
    if (waitSeconds > 0) return exhausted('codes', waitSeconds);
    return { outcome: (await insertCode(transaction, id)) ? 'sent' : 'not_needed' };
  });
}

/** Until fewer than `limit` of the codes, newest first, are younger than the window; 0 if they are. */
function secondsToWait(
  codes: readonly { ageSeconds: number }[],
  limit: number,
  windowSeconds: number,
): number {
  const oldestThatCounts = codes[limit - 1];
  return oldestThatCounts === undefined
    ? 0
    : Math.max(0, windowSeconds - oldestThatCounts.ageSeconds);
}

export type Opening =
  /** `pass`: allows the browser changes of the booking for 15 minutes. */
  { outcome: 'opened'; pass: string } | CodeRefusal;

/**
 * Compares what the person typed with the newest code, after the try is counted and committed. A right
 * code is used up.
 */
export async function openWithCode(
  { clock, database, keyring }: CodeServices,
  bookingId: string,
  typed: unknown,
): Promise<Opening> {
  const code = readTypedCode(typed);
  if (code === null) return { outcome: 'code_invalid', triesLeft: null };
  const triesLeft = await countCodeTry(database, bookingId);
  const state = await readCodeState(database, bookingId);
  if (triesLeft === null || state === null) return triesExhausted(state);
  const { newest } = state;
  const isRight =
    newest !== null &&
    isConfirmationCode(keyring, newest.mailId, code) &&
    (await useCode(database, newest.mailId));
  if (!isRight) return { outcome: 'code_invalid', triesLeft };
  const expiresAt = clock.now() + codeOpensSeconds * 1000;
  return { outcome: 'opened', pass: createPass(keyring, bookingId, expiresAt) };
}

function exhausted(of: 'codes' | 'tries', seconds: number): CodeRefusal {
  return { outcome: 'code_exhausted', of, retryAfterSeconds: Math.max(1, Math.ceil(seconds)) };
}

function triesExhausted(state: CodeState | null): CodeRefusal {
  const seconds = state?.triesEndAt ? secondsBetween(state.now, state.triesEndAt) : daySeconds;
  return exhausted('tries', seconds);
}

function secondsBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / 1000;
}
