import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { isIPv4 } from 'node:net';
import type { Caller } from './caller.js';
import type { PlatformDirectory } from './platform-directory.js';

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
