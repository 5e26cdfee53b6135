import rateLimit, { type FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccessServices } from './services.js';
import { accessLevel, type Caller } from './caller.js';
import { ServiceError } from '../errors.js';
import { createBudgets, type BaseBudgetName, type Budget, type BudgetName } from './budgets.js';
import { limitHeaders, type Charge, type Meter } from './meter.js';
import type { LimitStore } from './stores/store.js';

type Check = ReturnType<FastifyInstance['createRateLimit']>;

interface LimiterContext extends Pick<AccessServices, 'clock' | 'limitStore'> {
  budgets: Record<BudgetName, Budget>;
  checks: Record<BudgetName | 'lookups', Check>;
}

/** The result of checking a request against a budget. */
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
  { config, clock, limitStore }: Pick<AccessServices, 'config' | 'clock' | 'limitStore'>,
  base: BaseBudgetName,
): Promise<(request: FastifyRequest, reply: FastifyReply) => Meter> {
  await app.register(rateLimit, { global: false, store: storeConstructor(limitStore) });
  const budgets = createBudgets(config);
  const createCheck = (budget: Budget, name: string = budget.name): Check =>
    app.createRateLimit({
      max: ({ caller }) => budget.quota[accessLevel(caller)],
      timeWindow: budget.windowSeconds * 1000,
      keyGenerator: ({ caller }) => `${name} ${callerKey(budget, caller)}`,
    });
  const limits: LimiterContext = {
    clock,
    limitStore,
    budgets,
    checks: {
      reads: createCheck(budgets.reads),
      holds: createCheck(budgets.holds),
      'agent-keys': createCheck(budgets['agent-keys']),
      webhooks: createCheck(budgets.webhooks),
      pages: createCheck(budgets.pages),
      // Idempotency-Key lookups after the budget is exhausted: the same quota as reads.
      lookups: createCheck(budgets.reads, 'lookups'),
    },
  };
  return (request, reply) => new RequestMeter(base, limits, request, reply);
}

class RequestMeter implements Meter {
  readonly base: BaseBudgetName;
  charge: Charge | null = null;
  #lastCharged: CheckResult | null = null;
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
    const result = await this.#check(budget);
    if (!result.accepted) throw this.#refuse(result);
    await this.#charge(result);
  }

  async refundToBase(): Promise<void> {
    if (this.charge?.budget === this.base) return;
    const result = await this.#check(this.base);
    if (result.accepted) await this.#charge(result);
  }

  async allowLookup(budget: BudgetName): Promise<void> {
    const state = await this.#check(budget, { increment: false });
    if (state.charge.remaining > 0) return;
    const lookup = await this.#limits.checks.lookups(this.#request);
    if (!lookup.isAllowed && lookup.isExceeded) throw this.#refuse(state);
  }

  async #check(name: BudgetName, options?: { increment: boolean }): Promise<CheckResult> {
    const result = await this.#limits.checks[name](this.#request, options);
    if (result.isAllowed)
      throw new Error('unexpected allow-listed caller: no allow list is configured');
    const { key, max, timeWindow, remaining, ttl, isExceeded } = result;
    return {
      accepted: !isExceeded,
      charge: {
        budget: name,
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

  async #charge(result: CheckResult): Promise<void> {
    const { clock, limitStore } = this.#limits;
    const previous = this.#lastCharged;
    this.#lastCharged = result;
    this.#setHeaders(result.charge);
    // After the window has ended, a refund would be credited to the next window.
    if (previous !== null && clock.own() < previous.windowEndsAt) {
      await limitStore.refund(previous.key, previous.windowMs);
    }
  }

  #setHeaders(charge: Charge): void {
    this.charge = charge;
    this.#reply.headers(limitHeaders(charge));
  }

  #refuse({ charge }: CheckResult): ServiceError {
    this.#setHeaders(charge);
    const level = accessLevel(this.#request.caller);
    const advice =
      level === 'anonymous' && this.#limits.budgets[charge.budget].quota.keyed > charge.quota
        ? ' An API key (POST /api/public/agent-keys) has higher limits.'
        : '';
    return new ServiceError('rate_limited', {
      message: `The limit of ${charge.quota} ${unitOf(charge)} is used up. Wait ${charge.resetSeconds} seconds and send the same request again.${advice}`,
      retryAfterSeconds: charge.resetSeconds,
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

function callerKey(budget: Budget, caller: Caller): string {
  return budget.scope === 'caller' && caller.apiKeyId !== null
    ? `key ${caller.apiKeyId}`
    : `address ${caller.address}`;
}

/** The plugin expects a store constructor; this one returns the existing store. */
function storeConstructor(store: LimitStore): FastifyRateLimitStoreCtor {
  return function () {
    return store;
  } as unknown as FastifyRateLimitStoreCtor;
}
