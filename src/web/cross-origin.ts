/** The path prefix of the public interface. */
export const publicPrefix = '/api/public';

/** Response headers that scripts of other origins may read. */
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
 * The CORS headers for an error response to a request for this URL. They cover errors raised before
 * the CORS plugin of the public interface runs: a shed request, or a path without a route.
 */
export function crossOriginHeaders(url: string): Record<string, string> {
  return url.startsWith(`${publicPrefix}/`) ? openToEveryOrigin : {};
}
