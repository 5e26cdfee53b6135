import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DomainServices } from '../../domain/deps.js';
import type { Checkout } from '../../domain/checkout.js';
import { isProven, openWithCode, type CodeRefusal } from '../../domain/codes.js';
import { ServiceError } from '../../errors.js';
import { reportFailure } from '../../http/plugins/errors.js';
import { acceptsPages } from '../send-page.js';
import { openCheckout } from './open-checkout.js';
import { readPass, setPass } from './pass-cookie.js';

/** `code_needed`: the change was not made, since it needs a code and the form had none. */
type Change<Result> = (pass: string | null) => Promise<Result | 'code_needed'>;

export type Changed<Result> =
  { outcome: 'done'; result: Result | null } | { outcome: 'refused'; refusal: CodeRefusal };

/**
 * Makes a change of a person: with the pass of the browser, or with the code of the form, which is then
 * used up. `result` is null if the booking has changed since its page was shown; then nothing is
 * compared or changed. Forms with a code for one booking are handled one after the other, so that a
 * double press finds the change made.
 */
export async function changeWithCode<Result>(
  context: DomainServices,
  request: FastifyRequest<{ Params: { token: string }; Body: Record<string, unknown> | undefined }>,
  reply: FastifyReply,
  { booking, status }: Checkout,
  sequence: number | null,
  change: Change<Result>,
): Promise<Changed<Result>> {
  const code = request.body?.['code'];
  const pass = readPass(request);
  if (code === undefined || isProven(context, booking, status, pass)) {
    return toChanged(await change(pass));
  }
  return context.slotMutex.run(`code ${booking.id}`, async () => {
    const { token } = request.params;
    const { checkout, path } = await openCheckout(context, token);
    const isAsShown =
      checkout.status === status &&
      (sequence ?? checkout.booking.sequence) === checkout.booking.sequence;
    if (!isAsShown) return { outcome: 'done', result: null };
    const opening = await openWithCode(context, booking.id, code);
    if (opening.outcome !== 'opened') return { outcome: 'refused', refusal: opening };
    setPass(reply, context.config.publicBaseUrl, path, opening.pass);
    return toChanged(await change(opening.pass));
  });
}

function toChanged<Result>(result: Result | 'code_needed'): Changed<Result> {
  return result === 'code_needed'
    ? { outcome: 'refused', refusal: { outcome: 'code_invalid', triesLeft: null } }
    : { outcome: 'done', result };
}

/**
 * Reports a refusal and returns the status of the page that explains it. To a client that shows no
 * pages, it is an error, which is thrown.
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
  if (refusal.outcome === 'code_invalid') return new ServiceError('code_invalid');
  const { retryAfterSeconds } = refusal;
  return new ServiceError('code_exhausted', { retryAfterSeconds });
}
