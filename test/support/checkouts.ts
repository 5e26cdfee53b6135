import * as checkout from '../../src/domain/booking/checkout.js';
import { moveCheckout as move } from '../../src/domain/booking/moves.js';

/** A change of a person, by the token of the checkout link: reads the checkout first, as the page does. */
function byToken<Context extends checkout.CheckoutServices, Rest extends unknown[], Result>(
  change: (context: Context, opened: checkout.Checkout, ...rest: Rest) => Promise<Result>,
) {
  return async (context: Context, token: string, ...rest: Rest): Promise<Result> =>
    change(context, await openedCheckout(context, token), ...rest);
}

/** The checkout of a link, as its page reads it. */
export async function openedCheckout(context: checkout.CheckoutServices, token: string) {
  const opened = await checkout.findCheckout(context, token);
  if (opened === null) throw new Error('no booking has this link');
  return opened;
}

export const confirmCheckout = byToken(checkout.confirmCheckout);
export const releaseCheckout = byToken(checkout.releaseCheckout);
export const moveCheckout = byToken(move);
