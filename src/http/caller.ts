import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Caller } from '../domain/holds.js';

/** Who asks, as the domain needs to know it. */
export function callerOf(request: FastifyRequest): Caller {
  return { apiKeyId: null, address: addressGroup(request.ip) };
}

/** The address that limits apply to: IPv4 whole (also when mapped into IPv6), IPv6 by its /64. */
export function addressGroup(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  const [network] = [
    new ipaddr.IPv6([...address.toByteArray().slice(0, 8), 0, 0, 0, 0, 0, 0, 0, 0]),
  ];
  return `${network.toString()}/64`;
}
