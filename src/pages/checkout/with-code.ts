import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Checkout } from '../../domain/booking/checkout.js';
import {
  type CodeRefusal,
  type CodeStep,
  findCodeStep,
  openWithCode,
  sendCode,
} from '../../domain/booking/codes.js';
import type { DomainServices } from '../../domain/deps.js';
import { ServiceError } from '../../errors.js';
import type { RequestWith } from '../../web/forms.js';
import { reportFailure } from '../../web/plugins/errors.js';
import { acceptsPages } from '../../web/send-page.js';
import { keepBrowser, openCheckout, readBrowser } from './open-checkout.js';

/** The state of a page's buttons. A browser that may ask for a code there gets its secret. */
export async function prepareCode(
  context: DomainServices,
  { request, reply, checkout: { booking, status } }: Visit,
): Promise<CodeStep> {
  const codeStep = await findCodeStep(context, booking, status, readBrowser(request));
  if (codeStep.step === 'ask') keepBrowser(request, reply, context.config.publicBaseUrl);
  return codeStep;
}

/** Sends the browser a code; `not_needed` where its acts need none. */
export function requestCode(
  context: DomainServices,
  { request, reply, checkout: { booking, status } }: Visit,
): ReturnType<typeof sendCode> {
  const browser = keepBrowser(request, reply, context.config.publicBaseUrl);
  return sendCode(context, booking, status, browser, request.caller);
}

/** A request to the page of a booking. */
export interface Visit {
  request: FastifyRequest;
  reply: FastifyReply;
  checkout: Checkout;
}

/** `code_needed`: nothing was changed, since the browser has not typed the code. */
type Change<Result> = (
  checkout: Checkout,
  browser: string | null,
) => Promise<Result | 'code_needed'>;

export type Changed<Result> =
  | { outcome: 'done'; result: Result | null }
  | { outcome: 'refused'; refusal: CodeRefusal };

/**
 * Makes a change of a person, whose browser has typed a code, or types it with this form. `result` is
 * null if the booking has changed since its page was shown; then nothing is compared or changed. Forms
 * with a code for one booking are serialized, so that a double press finds the change made.
 */
export async function changeWithCode<Result>(
  context: DomainServices,
  request: RequestWith<{ body: { code?: string } }>,
  shown: Checkout,
  sequence: number | null,
  change: Change<Result>,
): Promise<Changed<Result>> {
  const { booking, status, token } = shown;
  const { code } = request.body;
  const browser = readBrowser(request);
  if (code === undefined) return toChanged(await change(shown, browser));
  return context.slotMutex.run(`code ${booking.id}`, async () => {
    const checkout = await openCheckout(context, token);
    const isAsShown =
      checkout.status === status &&
      (sequence ?? checkout.booking.sequence) === checkout.booking.sequence;
    if (!isAsShown) return { outcome: 'done', result: null };
    const opening = await openWithCode(context, booking, status, browser, code);
    if (opening.outcome !== 'opened') return { outcome: 'refused', refusal: opening };
    return toChanged(await change(checkout, browser));
  });
}

function toChanged<Result>(result: Result | 'code_needed'): Changed<Result> {
  return result === 'code_needed'
    ? { outcome: 'refused', refusal: { outcome: 'code_invalid', triesLeft: null } }
    : { outcome: 'done', result };
}

/**
 * Reports a refusal and returns the status of the page that explains it. For a client that shows no
 * pages, throws it.
 */
export function refuseCode(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: CodeRefusal,
): number {
  const error = codeError(refusal);
  if (!acceptsPages(request)) throw error;
  return reportFailure(request, reply, error);
}

function codeError(refusal: CodeRefusal): ServiceError {
  if (refusal.outcome !== 'code_exhausted') return new ServiceError('code_invalid');
  const { retryAfterSeconds } = refusal;
  return new ServiceError('code_exhausted', { retryAfterSeconds });
}
