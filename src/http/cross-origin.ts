/** Everything of the public interface lies under it. */
export const publicPrefix = '/api/public';

/** What pages of another origin may read of an answer, beside its body. */
export const exposedHeaders = [
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Location',
  'Idempotency-Replayed',
  'Preference-Applied',
  'Deprecation',
  'Sunset',
  'ETag',
];

const openToEveryOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders.join(', '),
  'cross-origin-resource-policy': 'cross-origin',
};

/**
 * For a failure at this address: what lets the pages of every origin read it where the public
 * interface does. A request may fail before it gets there: turned away under load, or with an address
 * that leads nowhere.
 */
export function crossOriginHeaders(url: string): Record<string, string> {
  return url.startsWith(`${publicPrefix}/`) ? openToEveryOrigin : {};
}
