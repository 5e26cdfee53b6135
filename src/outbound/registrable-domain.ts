import { lazily } from '../platform/lazily.js';

/** The public suffix list takes 8 MB of memory, which a start without subscribers does without. */
const publicSuffixList = lazily(() => import('tldts'));

/**
 * The registrable domain of a host name: its public suffix and one label more, by the whole public
 * suffix list as browsers read it, so that the customers of a host such as github.io are many. Null
 * for a literal address, and for a name that is a public suffix itself.
 */
export async function registrableDomain(hostname: string): Promise<string | null> {
  const { getDomain } = await publicSuffixList();
  return getDomain(hostname, {
    allowPrivateDomains: true,
    // Names that DNS resolves need not be valid host names.
    validateHostname: false,
    extractHostname: false,
  });
}
