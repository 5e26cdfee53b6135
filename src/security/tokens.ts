import { randomBytes } from 'node:crypto';

/** An unguessable capability: 256 random bits in base64url, 43 characters. */
export function createCheckoutToken(): string {
  return randomBytes(32).toString('base64url');
}

const checkoutTokenPattern = /^[A-Za-z0-9_-]{43}$/;

export function isCheckoutToken(value: string): boolean {
  return checkoutTokenPattern.test(value);
}
