import { findCheckout, type Checkout, type CheckoutServices } from '../../domain/checkout.js';
import { ServiceError } from '../../errors.js';

export interface OpenCheckout {
  checkout: Checkout;
  /** The URL path of its page. */
  path: string;
}

/** The booking of a checkout link. Throws `not_found`. */
export async function openCheckout(
  context: CheckoutServices,
  token: string,
): Promise<OpenCheckout> {
  const checkout = await findCheckout(context, token);
  if (checkout === null) throw linkUnknown();
  return { checkout, path: `/checkout/${token}` };
}

export function linkUnknown(): ServiceError {
  return new ServiceError('not_found', {
    message: 'This link is not known. Check that it was copied whole.',
  });
}
