import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { addressRange, publicRange } from './special-ranges.js';

/*
 * Keeps deliveries out of private networks (contract, "Webhooks"). A target is judged three times:
 * its spelling at creation, its DNS answers at creation, and the very addresses that a connection
 * dials. The last is the authority; the first two are there to tell the subscriber early.
 */

/** Which rule refused a target. */
export type TargetRule = 'url' | 'scheme' | 'credentials' | 'port' | 'hostname' | 'address';

/** `message` is for the subscriber; it never says what an internal name resolves to. */
export interface TargetRefusal {
  allowed: false;
  rule: TargetRule;
  message: string;
}

/** `url` is normalised, without a dot at the end of its host name; its `hostname` counts caps. */
export type TargetCheck = { allowed: true; url: URL } | TargetRefusal;

/** True for work on one's own machine: `http`, any port, and targets in private networks. */
export interface TargetPolicy {
  allowPrivateTargets: boolean;
}

/** All addresses of a host name, v4 and v6; rejects with a `code` as `node:dns` does. */
export type ResolveAddresses = (hostname: string) => Promise<string[]>;

/** What a connection fails with when it would have dialled a forbidden address. */
export class TargetRefusedError extends Error {
  readonly code = 'TARGET_REFUSED';
  constructor() {
    super('the webhook target is not on the public internet');
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

const allowedPorts = new Set(['', '443', '8443']);

/** What local work may reach besides the public internet; not link-local, where metadata lives. */
const localRanges = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

/** Names that by standard belong to the local network (RFC 6761, 6762, 8375; ICANN: .internal). */
const localSuffixes = ['localhost', 'local', 'home.arpa', 'internal'];

function refusal(rule: TargetRule): TargetRefusal {
  return { allowed: false, rule, message: messages[rule] };
}

function isAllowedAddress(address: string, { allowPrivateTargets }: TargetPolicy): boolean {
  const range = addressRange(address);
  return range === publicRange || (allowPrivateTargets && localRanges.has(range));
}

function isPublicName(hostname: string): boolean {
  if (!hostname.includes('.')) return false;
  return !localSuffixes.some((suffix) => hostname.endsWith(`.${suffix}`));
}

/**
 * Checks the spelling of a target, without DNS. `new URL` reduces every spelling of a literal
 * address (octal, hexadecimal, short, full-width digits, percent-encoded) to the one that is
 * dialled, so the ranges are asked about that.
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

  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0) {
    return isAllowedAddress(literal, policy) ? { allowed: true, url } : refusal('address');
  }
  const hostname = url.hostname.replace(/\.$/, '');
  const isName = hostname.length <= 253 && hostname.split('.').every((label) => label !== '');
  if (!isName || (!allowPrivateTargets && !isPublicName(hostname))) return refusal('hostname');
  url.hostname = hostname;
  return { allowed: true, url };
}

/**
 * Checks at creation what the host of a checked address resolves to: the refusal, or null. A name
 * that does not exist is refused like a private one, with the same sentence, so that the answer
 * tells nothing about internal names. When DNS itself fails, the target is accepted: the connection
 * judges it anyway, and our trouble is not the subscriber's. Local work is not asked to have DNS.
 * @internal
 */
export async function checkTargetResolves(
  url: URL,
  { allowPrivateTargets, resolve = askNameServers }: TargetPolicy & { resolve?: ResolveAddresses },
): Promise<TargetRefusal | null> {
  if (allowPrivateTargets || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) return null;
  try {
    await resolveChecked(url.hostname, resolve, { allowPrivateTargets });
    return null;
  } catch (error) {
    const isFinal = error instanceof TargetRefusedError || isAbsent(error);
    return isFinal ? refusal('address') : null;
  }
}

/** Every address of the name; refuses all of them when any is forbidden, or when none came. */
async function resolveChecked(
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

/**
 * A `lookup` for `net.connect` that hands over checked addresses only, so that the socket dials one
 * of those that were judged. Sockets do not call it for literal addresses: `createGuardedConnector`
 * judges them.
 * @internal
 */
export function createGuardedLookup(
  resolve: ResolveAddresses,
  policy: TargetPolicy,
): LookupFunction {
  return (hostname, options, callback) => {
    resolveChecked(hostname, resolve, policy).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all || !first) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => {
        callback(error, []);
      },
    );
  };
}

/** undici's connector that judges the address that is dialled, literal or resolved. */
export function createGuardedConnector({
  allowPrivateTargets,
  connectSeconds,
  resolve = allowPrivateTargets ? askSystem : askNameServers,
}: TargetPolicy & {
  connectSeconds: number;
  resolve?: ResolveAddresses;
}): buildConnector.connector {
  const policy = { allowPrivateTargets };
  const connect = buildConnector({
    lookup: createGuardedLookup(resolve, policy),
    timeout: connectSeconds * 1000,
    // Said aloud so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch it off.
    rejectUnauthorized: true,
    allowH2: false,
  });
  return (options, callback) => {
    const { hostname } = options;
    if (isIP(hostname) !== 0 && !isAllowedAddress(hostname, policy)) {
      callback(new TargetRefusedError(), null);
      return;
    }
    connect(options, callback);
  };
}

/** The two checks at creation, under the service's policy. */
export interface TargetGuard {
  /** By its spelling. */
  checkUrl(url: string): TargetCheck;
  /** By what the name servers say; null when nothing is wrong. */
  checkResolves(url: URL): Promise<TargetRefusal | null>;
}

export function createTargetGuard(
  policy: TargetPolicy & { resolve?: ResolveAddresses },
): TargetGuard {
  return {
    checkUrl: (url) => checkTargetUrl(url, policy),
    checkResolves: (url) => checkTargetResolves(url, policy),
  };
}

function isAbsent(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOTFOUND' || code === 'ENODATA';
}

/**
 * Asks the name servers directly for both families (those of the system, unless told others).
 * getaddrinfo would hold one of the process's four pool threads per slow name, and would
 * try the search domains of the local network.
 * @internal
 */
export async function askNameServers(hostname: string, servers?: string[]): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  if (servers) resolver.setServers(servers);
  const answers = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ]);
  const addresses = answers.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  if (addresses.length > 0) return addresses;
  const failures = answers.flatMap((each): Error[] =>
    each.status === 'rejected' ? [each.reason as Error] : [],
  );
  throw failures.find((failure) => !isAbsent(failure)) ?? failures[0] ?? new TargetRefusedError();
}

/** The machine's whole resolver, its hosts file too: what local work expects. */
async function askSystem(hostname: string): Promise<string[]> {
  const answers = await lookup(hostname, { all: true });
  return answers.map(({ address }) => address);
}
