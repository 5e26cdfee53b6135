import { isLoopbackHost } from '../config/validators.js';

/**
 * Whether a URL leads to a loopback address: it opens on this machine only, not on a person's phone.
 * False for what is no URL.
 */
export function isLoopback(url: string): boolean {
  return URL.canParse(url) && isLoopbackHost(new URL(url).hostname);
}
