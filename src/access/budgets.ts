import type { OperationId } from '../../generated/operations.js';
import type { Config } from '../config/config.js';
import { pagesPerMinute } from '../config/limits.js';

export type AccessLevel = 'anonymous' | 'keyed';

export type BudgetName = 'reads' | 'holds' | 'agent-keys' | 'webhooks' | 'pages';

/** The least a request costs: a read under the public prefix, a page outside. */
export type BaseBudgetName = 'reads' | 'pages';

/** What a platform may use as a whole, besides the budgets of its people. */
export type PlatformBudgetName = 'platform-reads' | 'platform-holds';

/** A number of requests per window. */
export interface Budget {
  name: BudgetName;
  windowSeconds: number;
  quota: Record<AccessLevel, number>;
  /** `caller`: per API key, or per address for anonymous callers; `address`: always per address. */
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
    // A key gives no more here: a key must not create more keys.
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

/** The budgets that a platform has as a whole: the ones counted per caller. */
export const platformBudgets = {
  reads: 'platform-reads',
  holds: 'platform-holds',
} as const satisfies Partial<Record<BudgetName, PlatformBudgetName>>;

export function hasPlatformBudget(name: BudgetName): name is keyof typeof platformBudgets {
  return name in platformBudgets;
}

/** The budgets of writing operations, charged once the request is valid. All others cost a read. */
export const writingBudgets = {
  createHold: 'holds',
  createAgentKey: 'agent-keys',
  createWebhook: 'webhooks',
} as const satisfies Partial<Record<OperationId, BudgetName>>;
