import type { Channel } from '../database/schema.js';
import { maxSubjectLength } from '../config/limits.js';
import type { Keyring } from '../secrets/keyring.js';
import type { AccessLevel } from './budgets.js';
import type { Meter } from './meter.js';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { isIPv4 } from 'node:net';
import type { PlatformDirectory } from './platform-directory.js';

/** A platform that calls for many people from addresses that the studio has listed. */
export interface Platform {
  name: string;
  readsPerMinute: number;
  holdsPerHour: number;
  /** Live bookings placed within 24 hours. */
  liveBookings: number;
  /** Its share of the studio's pending holds. */
  pendingHoldsPercent: number;
}

/** The caller of a request. */
export interface Caller {
  /** Null if anonymous. */
  apiKeyId: string | null;
  /** For limits: an IPv4 address or an IPv6 /64. */
  address: string;
  /** For the caps of bookings, codes and API keys: an IPv4 address or an IPv6 /48. */
  network: string;
  /** Null if the address is not listed. */
  platform: Platform | null;
  /**
   * HMACs of the platform's person, one per known secret key, the current one first; null if the
   * platform does not say who it is.
   */
  personHashes: readonly Buffer[] | null;
  /** Stored with each booking that the caller makes. */
  channel: Channel;
  /** Charges this request. */
  meter: Meter;
}

export function accessLevel(caller: Pick<Caller, 'apiKeyId'>): AccessLevel {
  return caller.apiKeyId === null ? 'anonymous' : 'keyed';
}

/** How a platform names its person; ignored from any other address, and if it is no usable text. */
export function personHashesOf(
  keyring: Keyring,
  { platform }: Pick<Caller, 'platform'>,
  subject: unknown,
): Buffer[] | null {
  if (platform === null || typeof subject !== 'string') return null;
  if (subject === '' || subject.length > maxSubjectLength) return null;
  // A platform's name has no space: a person of one platform is never that of another.
  return keyring.fingerprints(`${platform.name} ${subject}`, 'person of a platform');
}

const prefixBits = { address: 64, network: 48 } as const;

/**
 * The address, network and platform of a client for limits. If a proxy forwards something else than
 * an address, the proxy's own address is used. Reads `ip` once: Fastify derives it at each access.
 */
export function originOf(
  { ip, socket }: FastifyRequest,
  platforms: Pick<PlatformDirectory, 'find'>,
): Pick<Caller, 'address' | 'network' | 'platform'> {
  const group = (bits: number) =>
    addressGroup(ip, bits) ?? addressGroup(socket.remoteAddress ?? '', bits) ?? 'unknown';
  return {
    address: group(prefixBits.address),
    network: group(prefixBits.network),
    platform: platforms.find(ip),
  };
}

/** An IPv4 address (also if mapped into IPv6), or the prefix of an IPv6 address; null if malformed. */
export function addressGroup(ip: string, bits: number = prefixBits.address): string | null {
  if (isIPv4(ip)) return ip;
  if (!ipaddr.isValid(ip)) return null;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  const network = address.toByteArray().fill(0, bits / 8);
  return `${new ipaddr.IPv6(network).toString()}/${bits}`;
}
