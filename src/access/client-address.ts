import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { isIPv4 } from 'node:net';
import type { Caller } from './caller.js';

const prefixBits = { address: 64, network: 48 } as const;

/**
 * Where a request comes from, as the limits see it. What a proxy names instead of an address counts
 * for the proxy's own.
 */
export function originOf({ ip, socket }: FastifyRequest): Pick<Caller, 'address' | 'network'> {
  const group = (bits: number) =>
    addressGroup(ip, bits) ?? addressGroup(socket.remoteAddress ?? '', bits) ?? 'unknown';
  return { address: group(prefixBits.address), network: group(prefixBits.network) };
}

/**
 * The address that limits apply to: IPv4 whole (also when mapped into IPv6), IPv6 by its first bits.
 * Null when it is no address.
 */
export function addressGroup(ip: string, bits: number = prefixBits.address): string | null {
  if (isIPv4(ip)) return ip;
  if (!ipaddr.isValid(ip)) return null;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  const network = address.toByteArray().fill(0, bits / 8);
  return `${new ipaddr.IPv6(network).toString()}/${bits}`;
}
