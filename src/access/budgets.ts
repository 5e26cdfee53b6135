import type { OperationId } from '../../generated/operations.js';
import type { Config } from '../config.js';
import { pagesPerMinute } from '../platform/fixed-limits.js';

export type AccessLevel = 'anonymous' | 'keyed';

export type BudgetName = 'reads' | 'holds' | 'agent-keys' | 'webhooks' | 'pages';

/** What a request costs at least: a read under the public prefix, a page outside it. */
export type BaseBudgetName = 'reads' | 'pages';

/** How much a caller may do in a window of time (contract, "Access and limits"). */
export interface Budget {
  name: BudgetName;
  windowSeconds: number;
  /** Requests per window. */
  quota: Record<AccessLevel, number>;
  /** Whose budget it is: the API key's (the address's when anonymous), or always the address's. */
  scope: 'caller' | 'address';
}

const minute = 60;
const hour = 3600;

export function createBudgets(config: Config): Record<BudgetName, Budget> {
  const writes = { anonymous: config.writesPerHourAnonymous, keyed: config.writesPerHourKeyed };
  return {
    reads: {
      name: 'reads',
      windowSeconds: minute,
      quota: { anonymous: config.readsPerMinuteAnonymous, keyed: config.readsPerMinuteKeyed },
      scope: 'caller',
    },
    holds: { name: 'holds', windowSeconds: hour, quota: writes, scope: 'caller' },
    // A key buys no further keys.
    'agent-keys': {
      name: 'agent-keys',
      windowSeconds: hour,
      quota: { anonymous: writes.anonymous, keyed: writes.anonymous },
      scope: 'address',
    },
    webhooks: { name: 'webhooks', windowSeconds: hour, quota: writes, scope: 'address' },
    pages: {
      name: 'pages',
      windowSeconds: minute,
      quota: { anonymous: pagesPerMinute, keyed: pagesPerMinute },
      scope: 'address',
    },
  };
}

/**
 * What the writing operations are charged to, once they are known to be valid; every other operation
 * costs a read.
 */
export const writingBudgets = {
  createHold: 'holds',
  createAgentKey: 'agent-keys',
  createWebhook: 'webhooks',
} as const satisfies Partial<Record<OperationId, BudgetName>>;
