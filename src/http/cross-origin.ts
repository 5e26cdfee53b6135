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
 * The CORS headers of an error response at this URL. A request to the public interface may fail
 * before its CORS plugin runs: shed under load, or not routed.
 */
export function crossOriginHeaders(url: string): Record<string, string> {
  return url.startsWith(`${publicPrefix}/`) ? openToEveryOrigin : {};
}
