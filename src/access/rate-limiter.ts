import rateLimit, { type FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccessServices } from './services.js';
import { accessLevel, type Caller } from './caller.js';
import { ServiceError } from '../errors.js';
import { createBudgets, type BaseBudgetName, type Budget, type BudgetName } from './budgets.js';
import { limitHeaders, type Charge, type Meter } from './meter.js';
import type { LimitStore } from './stores/store.js';

type Check = ReturnType<FastifyInstance['createRateLimit']>;

interface Limits extends Pick<AccessServices, 'clock' | 'limitStore'> {
  budgets: Record<BudgetName, Budget>;
  checks: Record<BudgetName | 'lookups', Check>;
}

/** The result of a check. */
interface Answer {
  accepted: boolean;
  charge: Charge;
  /** For the refund. */
  key: string;
  windowMs: number;
  windowEndsAt: number;
}

/**
 * Registers the budgets. The result creates the meter of a request, which also sets the RateLimit
 * headers of its response.
 */
export async function createRateLimiter(
  app: FastifyInstance,
  { config, clock, limitStore }: Pick<AccessServices, 'config' | 'clock' | 'limitStore'>,
  base: BaseBudgetName,
): Promise<(request: FastifyRequest, reply: FastifyReply) => Meter> {
  await app.register(rateLimit, { global: false, store: constructorOf(limitStore) });
  const budgets = createBudgets(config);
  const checkFor = (budget: Budget, name: string = budget.name): Check =>
    app.createRateLimit({
      max: ({ caller }) => budget.quota[accessLevel(caller)],
      timeWindow: budget.windowSeconds * 1000,
      keyGenerator: ({ caller }) => `${name} ${ownerOf(budget, caller)}`,
    });
  const limits: Limits = {
    clock,
    limitStore,
    budgets,
    checks: {
      reads: checkFor(budgets.reads),
      holds: checkFor(budgets.holds),
      'agent-keys': checkFor(budgets['agent-keys']),
      webhooks: checkFor(budgets.webhooks),
      pages: checkFor(budgets.pages),
      // For callers whose budget is used up: as many lookups as reads.
      lookups: checkFor(budgets.reads, 'lookups'),
    },
  };
  return (request, reply) => new RequestMeter(base, limits, request, reply);
}

class RequestMeter implements Meter {
  readonly base: BaseBudgetName;
  charge: Charge | null = null;
  #charged: Answer | null = null;
  readonly #limits: Limits;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;

  constructor(base: BaseBudgetName, limits: Limits, request: FastifyRequest, reply: FastifyReply) {
    this.base = base;
    this.#limits = limits;
    this.#request = request;
    this.#reply = reply;
  }

  async chargeTo(budget: BudgetName): Promise<void> {
    const answer = await this.#check(budget);
    if (!answer.accepted) throw this.#refuse(answer);
    await this.#charge(answer);
  }

  async refundToBase(): Promise<void> {
    if (this.charge?.budget === this.base) return;
    const answer = await this.#check(this.base);
    if (answer.accepted) await this.#charge(answer);
  }

  async allowLookup(budget: BudgetName): Promise<void> {
    const state = await this.#check(budget, { increment: false });
    if (state.charge.remaining > 0) return;
    const lookup = await this.#limits.checks.lookups(this.#request);
    if (!lookup.isAllowed && lookup.isExceeded) throw this.#refuse(state);
  }

  async #check(name: BudgetName, options?: { increment: boolean }): Promise<Answer> {
    const result = await this.#limits.checks[name](this.#request, options);
    if (result.isAllowed) throw new Error('no caller is exempt from limits');
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

  async #charge(answer: Answer): Promise<void> {
    const { clock, limitStore } = this.#limits;
    const before = this.#charged;
    this.#charged = answer;
    this.#setHeaders(answer.charge);
    // A refund after the window's end would go to the next window.
    if (before !== null && clock.own() < before.windowEndsAt) {
      await limitStore.refund(before.key, before.windowMs);
    }
  }

  #setHeaders(charge: Charge): void {
    this.charge = charge;
    this.#reply.headers(limitHeaders(charge));
  }

  #refuse({ charge }: Answer): ServiceError {
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

function ownerOf(budget: Budget, caller: Caller): string {
  return budget.scope === 'caller' && caller.apiKeyId !== null
    ? `key ${caller.apiKeyId}`
    : `address ${caller.address}`;
}

/** The plugin constructs its store; this constructor returns the existing one. */
function constructorOf(store: LimitStore): FastifyRateLimitStoreCtor {
  return function () {
    return store;
  } as unknown as FastifyRateLimitStoreCtor;
}
