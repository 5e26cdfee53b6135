import { codeLimits } from '../../config/limits.js';
import type { CodeShare } from '../../database/rows/mails.js';
import { wasCommonShareUsedUp, type RecentCode } from '../../repositories/codes.js';
import type { DomainServices } from '../deps.js';

const hourSeconds = 3_600;
const daySeconds = 86_400;

export type Budget =
  /** `isBeyondTotals`: the networks together have used up the totals, but this is the first of one. */
  | { allowed: true; isBeyondTotals: boolean }
  /** `of`: what used up its limit, the booking with its mailbox, or the network. */
  | { allowed: false; of: 'booking' | 'network'; retryAfterSeconds: number };

/**
 * Whether a network may ask for another code for a booking. `recent`: the codes of a day, newest first,
 * of the network and of the booking's mailbox. A network has limits of its own, so that no other uses
 * them up; the totals per mailbox leave room for each network's first code.
 */
export function budgetOf(recent: readonly RecentCode[]): Budget {
  const ofNetwork = recent.filter(({ isOfNetwork }) => isOfNetwork);
  const ofBookingSeconds = Math.max(
    secondsToWait(ofNetwork.filter(isOfBooking), codeLimits.bookingOfNetworkHour, hourSeconds),
    secondsToWait(ofNetwork.filter(isCountedAlike), codeLimits.mailboxOfNetworkHour, hourSeconds),
  );
  const ofNetworkSeconds = Math.max(
    secondsToWait(ofNetwork, codeLimits.networkHour, hourSeconds),
    secondsToWait(ofNetwork, codeLimits.networkDay, daySeconds),
  );
  const seconds = Math.max(ofBookingSeconds, ofNetworkSeconds);
  const of = ofNetworkSeconds > ofBookingSeconds ? 'network' : 'booking';
  if (seconds > 0) return { allowed: false, of, retryAfterSeconds: seconds };

  const within = recent.filter(({ isBeyondTotals }) => !isBeyondTotals);
  const totalSeconds = Math.max(
    secondsToWait(within.filter(isOfBooking), codeLimits.bookingDay, daySeconds),
    secondsToWait(within.filter(isCountedAlike), codeLimits.mailboxHour, hourSeconds),
  );
  if (totalSeconds === 0) return { allowed: true, isBeyondTotals: false };
  if (ofNetwork.some(isOfBooking)) return { allowed: false, of, retryAfterSeconds: totalSeconds };
  const beyond = recent.filter((code) => code.isOfMailbox && code.isBeyondTotals);
  const beyondSeconds = secondsToWait(beyond, codeLimits.mailboxBeyondDay, daySeconds);
  if (beyondSeconds === 0) return { allowed: true, isBeyondTotals: true };
  return { allowed: false, of, retryAfterSeconds: Math.min(totalSeconds, beyondSeconds) };
}

function isOfBooking(code: RecentCode): boolean {
  return code.isOfBooking;
}

/** A mailbox has counters of its own for bookings that a code has proven before. */
function isCountedAlike(code: RecentCode): boolean {
  return code.isOfMailbox && code.isOfKind;
}

/** The seconds until fewer than `limit` of the codes, newest first, are younger than the window. */
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

/** A quarter of the studio's codes is kept for confirmed sessions, and one for new networks. */
export function studioShares(maxCodesPerHour: number): Record<CodeShare, number> {
  const kept = Math.floor(maxCodesPerHour / 4);
  return { common: maxCodesPerHour - 2 * kept, confirmed: kept, new_network: kept };
}

export type CodeBudgetServices = Pick<DomainServices, 'config' | 'database'>;

/** Whether the codes of an hour that are for everybody were used up within a day. */
export async function wereCodesUsedUp({ config, database }: CodeBudgetServices): Promise<boolean> {
  return wasCommonShareUsedUp(database, studioShares(config.maxCodesPerHour).common);
}
