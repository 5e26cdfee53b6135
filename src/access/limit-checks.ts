import type { FastifyInstance } from 'fastify';
import {
  hasPlatformBudget,
  platformBudgets,
  type Budget,
  type BudgetName,
  type PlatformBudgetName,
} from './budgets.js';
import { accessLevel, type Caller, type Platform } from './caller.js';

type Check = ReturnType<FastifyInstance['createRateLimit']>;

/** A budget of the caller, or of its platform as a whole. */
export type PolicyName = BudgetName | PlatformBudgetName;

/** Idempotency-Key lookups after a budget is exhausted: the same quota as reads. */
type LookupName = 'lookups' | 'platform-lookups';

export type Checks = Record<PolicyName | LookupName, Check>;

/** Creates the checks that count a request. A platform's checks count its callers only. */
export function createChecks(app: FastifyInstance, budgets: Record<BudgetName, Budget>): Checks {
  const ofCaller = (budget: Budget, name: string = budget.name): Check =>
    app.createRateLimit({
      max: ({ caller }) => budget.quota[accessLevel(caller)],
      timeWindow: budget.windowSeconds * 1000,
      keyGenerator: ({ caller }) => `${name} ${callerKey(budget, caller)}`,
    });
  const ofPlatform = (
    name: PlatformBudgetName | LookupName,
    { windowSeconds }: Budget,
    quota: (platform: Platform) => number,
  ): Check =>
    app.createRateLimit({
      max: ({ caller }) => quota(caller.platform as Platform),
      timeWindow: windowSeconds * 1000,
      keyGenerator: ({ caller }) => `${name} platform ${caller.platform?.name}`,
    });
  const reads = ({ readsPerMinute }: Platform) => readsPerMinute;
  return {
    reads: ofCaller(budgets.reads),
    holds: ofCaller(budgets.holds),
    'agent-keys': ofCaller(budgets['agent-keys']),
    webhooks: ofCaller(budgets.webhooks),
    pages: ofCaller(budgets.pages),
    'platform-reads': ofPlatform('platform-reads', budgets.reads, reads),
    'platform-holds': ofPlatform('platform-holds', budgets.holds, (each) => each.holdsPerHour),
    lookups: ofCaller(budgets.reads, 'lookups'),
    'platform-lookups': ofPlatform('platform-lookups', budgets.reads, reads),
  };
}

/**
 * The policies that count a request of this budget. The platform's comes first: once it is used up,
 * people that a platform invents take no memory of their own.
 */
export function policiesOf(budget: Budget, caller: Caller): readonly PolicyName[] {
  const { name } = budget;
  if (caller.platform === null || !hasPlatformBudget(name)) return [name];
  const ofPlatform = platformBudgets[name];
  return callerKey(budget, caller) === null ? [ofPlatform] : [ofPlatform, name];
}

/** Whose requests the budget counts together; null where only the platform's budget counts. */
function callerKey({ scope }: Budget, caller: Caller): string | null {
  const { apiKeyId, platform, personHashes, address } = caller;
  if (scope === 'address') return `address ${address}`;
  if (apiKeyId !== null) return `key ${apiKeyId}`;
  if (platform === null) return `address ${address}`;
  const hash = personHashes?.[0];
  return hash === undefined ? null : `person ${hash.toString('base64url')}`;
}
