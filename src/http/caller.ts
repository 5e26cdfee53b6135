import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { isIPv4 } from 'node:net';

/**
 * The client's address as the limits see it. What a proxy names instead of an address counts for
 * the proxy's own.
 */
export function addressOf(request: FastifyRequest): string {
  return addressGroup(request.ip) ?? addressGroup(request.socket.remoteAddress ?? '') ?? 'unknown';
}

/**
 * The address that limits apply to: IPv4 whole (also when mapped into IPv6), IPv6 by its /64. Null
 * when it is no address.
 */
export function addressGroup(ip: string): string | null {
  if (isIPv4(ip)) return ip;
  if (!ipaddr.isValid(ip)) return null;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  const network = [...address.toByteArray().slice(0, 8), 0, 0, 0, 0, 0, 0, 0, 0];
  return `${new ipaddr.IPv6(network).toString()}/64`;
}
