import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.js';
import {
  createBudgets,
  hasPlatformBudget,
  type BaseBudgetName,
  type Budget,
  type BudgetName,
} from './budgets.js';
import { accessLevel } from './caller.js';
import { createChecks, policiesOf, type Checks, type PolicyName } from './limit-checks.js';
import { limitHeaders, type Charge, type Meter } from './meter.js';
import type { AccessServices } from './services.js';

interface LimiterContext extends Pick<AccessServices, 'clock' | 'limitStore' | 'metrics'> {
  budgets: Record<BudgetName, Budget>;
  checks: Checks;
}

interface CheckResult {
  accepted: boolean;
  charge: Charge;
  /** The key in the store, for a refund. */
  key: string;
  windowMs: number;
  windowEndsAt: number;
}

/**
 * Registers the rate limits. Returns a function that creates the meter of a request; the meter also
 * sets the RateLimit headers of the response.
 */
export async function createRateLimiter(
  app: FastifyInstance,
  {
    config,
    clock,
    limitStore,
    metrics,
  }: Pick<AccessServices, 'config' | 'clock' | 'limitStore' | 'metrics'>,
  base: BaseBudgetName,
): Promise<(request: FastifyRequest, reply: FastifyReply) => Meter> {
  limitStore.connect();
  await app.register(rateLimit, {
    global: false,
    // The plugin constructs a store. Keys include the budget's name, so all budgets share this one.
    store: class {
      incr = limitStore.incr;
      read = limitStore.read;
      child = () => this;
    },
  });
  const budgets = createBudgets(config);
  const checks = createChecks(app, budgets);
  const limits: LimiterContext = { clock, limitStore, metrics, budgets, checks };
  return (request, reply) => new RequestMeter(base, limits, request, reply);
}

class RequestMeter implements Meter {
  readonly base: BaseBudgetName;
  charge: Charge | null = null;
  #lastCharged: readonly CheckResult[] = [];
  readonly #limits: LimiterContext;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;

  constructor(
    base: BaseBudgetName,
    limits: LimiterContext,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    this.base = base;
    this.#limits = limits;
    this.#request = request;
    this.#reply = reply;
  }

  async chargeTo(budget: BudgetName): Promise<void> {
    const refusal = await this.#charge(budget);
    if (refusal !== null) throw this.#refuse(refusal);
  }

  async refundToBase(): Promise<void> {
    if (this.charge?.budget !== this.base) await this.#charge(this.base);
  }

  async allowLookup(budget: BudgetName): Promise<void> {
    for (const policy of this.#policiesOf(budget)) {
      const state = await this.#check(budget, policy, { increment: false });
      if (state.charge.remaining > 0) continue;
      const name = policy === budget ? 'lookups' : 'platform-lookups';
      const lookup = await this.#limits.checks[name](this.#request);
      if (!lookup.isAllowed && lookup.isExceeded) throw this.#refuse(state);
      return;
    }
  }

  hidePlatform(): void {
    if (this.charge === null || this.charge.policy === this.charge.budget) return;
    const { budget, remaining } = this.charge;
    const quota = this.#limits.budgets[budget].quota[accessLevel(this.#request.caller)];
    this.#setHeaders({
      ...this.charge,
      policy: budget,
      quota,
      remaining: Math.min(remaining, quota),
    });
  }

  #policiesOf(name: BudgetName): readonly PolicyName[] {
    return policiesOf(this.#limits.budgets[name], this.#request.caller);
  }

  /**
   * Counts the request in every policy of the budget, or in none: then returns the result of the one that
   * refuses it. The headers show the policy that has the least left.
   */
  async #charge(budget: BudgetName): Promise<CheckResult | null> {
    const accepted: CheckResult[] = [];
    for (const policy of this.#policiesOf(budget)) {
      const result = await this.#check(budget, policy);
      if (!result.accepted) {
        await this.#refund(accepted);
        return result;
      }
      accepted.push(result);
    }
    const previous = this.#lastCharged;
    this.#lastCharged = accepted;
    const tightest = accepted.reduce((least, each) =>
      each.charge.remaining <= least.charge.remaining ? each : least,
    );
    this.#setHeaders(tightest.charge);
    if (previous.length > 0) await this.#refund(previous);
    return null;
  }

  async #check(
    budget: BudgetName,
    policy: PolicyName,
    options?: { increment: boolean },
  ): Promise<CheckResult> {
    const result = await this.#limits.checks[policy](this.#request, options);
    if (result.isAllowed)
      throw new Error('unexpected allow-listed caller: no allow list is configured');
    const { key, max, timeWindow, remaining, ttl, isExceeded } = result;
    return {
      accepted: !isExceeded,
      charge: {
        budget,
        policy,
        quota: max,
        windowSeconds: timeWindow / 1000,
        remaining,
        resetSeconds: Math.ceil(ttl / 1000),
      },
      key,
      windowMs: timeWindow,
      windowEndsAt: this.#limits.clock.own() + ttl,
    };
  }

  async #refund(results: readonly CheckResult[]): Promise<void> {
    const { clock, limitStore } = this.#limits;
    for (const { key, windowMs, windowEndsAt } of results) {
      // After the window has ended, a refund would be credited to the next window.
      if (clock.own() < windowEndsAt) await limitStore.refund(key, windowMs);
    }
  }

  #setHeaders(charge: Charge): void {
    this.charge = charge;
    this.#reply.headers(limitHeaders(charge));
  }

  #refuse({ charge }: CheckResult): ServiceError {
    const { platform } = this.#request.caller;
    const { budget, policy } = charge;
    this.#setHeaders(charge);
    this.hidePlatform();
    if (platform !== null && policy !== budget && hasPlatformBudget(budget)) {
      this.#limits.metrics.count('platformRefusals', { platform: platform.name, limit: budget });
    }
    const level = accessLevel(this.#request.caller);
    const { quota } = this.#limits.budgets[budget];
    const advice =
      level === 'anonymous' && quota.keyed > quota.anonymous
        ? ' An API key (operation createAgentKey) has higher limits.'
        : '';
    return new ServiceError('rate_limited', {
      message: `The limit of ${quota[level]} ${unitOf(charge)} is used up. Wait ${charge.resetSeconds} seconds and send the same request again.${advice}`,
      retryAfterSeconds: charge.resetSeconds,
      limit: budget === 'holds' ? 'holds' : undefined,
    });
  }
}

const units: Record<BudgetName, string> = {
  reads: 'reads',
  holds: 'holds',
  'agent-keys': 'new API keys',
  webhooks: 'new webhook subscriptions',
  pages: 'pages',
};

function unitOf({ budget, windowSeconds }: Charge): string {
  return `${units[budget]} per ${windowSeconds === 60 ? 'minute' : 'hour'}`;
}
