import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { lazily } from '../platform/concurrency.js';
import { isNameAbsent, type ResolveAddresses, resolveByNameServers } from './resolve-addresses.js';
import { addressRange, publicRange } from './special-ranges.js';

/*
 * Keeps requests of the service out of private networks. A target is checked three times: its URL and its
 * DNS records when it is named as a webhook or watched calendar, to inform early; and the address that a
 * connection dials (guarded-connector.ts), which is the authority.
 */

/** Which rule refused a target. */
export type TargetRule = 'url' | 'scheme' | 'credentials' | 'port' | 'hostname' | 'address';

/** `message` is for the subscriber; it never says what an internal name resolves to. */
export interface TargetRefusal {
  allowed: false;
  rule: TargetRule;
  message: string;
}

/** `url` is normalised, its host name without a trailing dot. */
export type TargetCheck = { allowed: true; url: URL } | TargetRefusal;

/** `allowPrivateTargets` is for local work: it permits `http`, any port and private networks. */
export interface TargetPolicy {
  allowPrivateTargets: boolean;
}

/** The error of a connection to a forbidden address, before it is dialled. */
export class TargetRefusedError extends Error {
  readonly code = 'TARGET_REFUSED';
  constructor() {
    super('the target is not on the public internet');
    this.name = 'TargetRefusedError';
  }
}

const messages: Record<TargetRule, string> = {
  url: 'must be an absolute address such as https://example.com/webhooks',
  scheme: 'must start with https://',
  credentials: 'must not carry a user name or password; verify the signature instead',
  port: 'must use port 443 or 8443',
  hostname: 'must name a host on the public internet, such as hooks.example.com',
  address: 'must have a host that resolves, and only to addresses on the public internet',
};

function refusal(rule: TargetRule): TargetRefusal {
  return { allowed: false, rule, message: messages[rule] };
}

const allowedPorts = new Set(['', '443', '8443']);

/** Ranges allowed for local work; link-local has cloud metadata services, and stays forbidden. */
const localRanges = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

/** Names that by standard belong to the local network (RFC 6761, 6762, 8375; ICANN: .internal). */
const localSuffixes = ['localhost', 'local', 'home.arpa', 'internal'];

export function isAllowedAddress(address: string, { allowPrivateTargets }: TargetPolicy): boolean {
  const range = addressRange(address);
  return range === publicRange || (allowPrivateTargets && localRanges.has(range));
}

function isPublicName(hostname: string): boolean {
  if (!hostname.includes('.')) return false;
  return !localSuffixes.some((suffix) => hostname.endsWith(`.${suffix}`));
}

/**
 * Checks a target without DNS. `new URL` reduces every spelling of a literal address (octal,
 * hexadecimal, short, full-width digits, percent-encoded) to the one that is dialled.
 */
export function checkTargetUrl(text: string, policy: TargetPolicy): TargetCheck {
  if (!URL.canParse(text)) return refusal('url');
  const url = new URL(text);
  const { allowPrivateTargets } = policy;
  if (url.protocol !== 'https:' && !(allowPrivateTargets && url.protocol === 'http:')) {
    return refusal('scheme');
  }
  if (url.username !== '' || url.password !== '') return refusal('credentials');
  if (!allowPrivateTargets && !allowedPorts.has(url.port)) return refusal('port');

  const literal = literalAddress(url);
  if (literal !== null) {
    return isAllowedAddress(literal, policy) ? { allowed: true, url } : refusal('address');
  }
  const hostname = url.hostname.replace(/\.$/, '');
  const isName = hostname.length <= 253 && hostname.split('.').every((label) => label !== '');
  if (!isName || (!allowPrivateTargets && !isPublicName(hostname))) return refusal('hostname');
  url.hostname = hostname;
  return { allowed: true, url };
}

/** The IP address that a URL has for its host, or null. */
function literalAddress({ hostname }: URL): string | null {
  const literal = hostname.replace(/^\[|\]$/g, '');
  return isIP(literal) === 0 ? null : literal;
}

/**
 * Checks the addresses of a checked URL's host; returns the refusal, or null. A name that does not exist
 * is refused with the sentence of a private one, so that the answer reveals nothing about internal names.
 * When DNS fails, the target is accepted: the connection checks it anyway. Local work needs no DNS.
 * @internal
 */
export async function checkTargetResolves(
  url: URL,
  {
    allowPrivateTargets,
    resolve = resolveByNameServers,
  }: TargetPolicy & { resolve?: ResolveAddresses },
): Promise<TargetRefusal | null> {
  if (allowPrivateTargets || literalAddress(url) !== null) return null;
  try {
    await resolveAllowed(url.hostname, resolve, { allowPrivateTargets });
    return null;
  } catch (error) {
    const isFinal = error instanceof TargetRefusedError || isNameAbsent(error);
    return isFinal ? refusal('address') : null;
  }
}

/** Throws `TargetRefusedError` when the name has no address, or any that is forbidden. */
export async function resolveAllowed(
  hostname: string,
  resolve: ResolveAddresses,
  policy: TargetPolicy,
): Promise<LookupAddress[]> {
  const addresses = await resolve(hostname);
  if (addresses.length === 0 || !addresses.every((each) => isAllowedAddress(each, policy))) {
    throw new TargetRefusedError();
  }
  return addresses.map((address) => ({ address, family: isIP(address) }));
}

/** The checks of a named target, under the service's policy. */
export function createTargetGuard(policy: TargetPolicy) {
  return {
    checkUrl: (url: string) => checkTargetUrl(url, policy),
    checkResolves: (url: URL) => checkTargetResolves(url, policy),
    domainOf: (url: URL) => registrableDomain(url.hostname),
  };
}

/** The public suffix list takes 8 MB of memory, and is loaded with the first subscriber. */
const publicSuffixList = lazily(() => import('tldts'));

/**
 * The registrable domain of a host name, its public suffix and one label more, by the public suffix list
 * of browsers: the customers of a host such as github.io are many. Null for a literal address, and for a
 * public suffix itself.
 */
async function registrableDomain(hostname: string): Promise<string | null> {
  const { getDomain } = await publicSuffixList();
  return getDomain(hostname, {
    allowPrivateDomains: true,
    // Names that DNS resolves need not be valid host names.
    validateHostname: false,
    extractHostname: false,
  });
}
