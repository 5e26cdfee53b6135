import { isIPv4 } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Caller } from './caller.js';
import type { PlatformDirectory } from './platform-directory.js';
import { createRateLimiter } from './rate-limiter.js';
import type { AccessServices } from './services.js';

/**
 * Identifies the caller of each request in this scope and charges a read, unless the route charges
 * itself. The returned function identifies the caller of a request that failed before the hook.
 */
export async function identifyCallers(
  api: FastifyInstance,
  context: AccessServices,
): Promise<(request: FastifyRequest, reply: FastifyReply) => Promise<Caller>> {
  const meterOf = await createRateLimiter(api, context, 'reads');
  api.decorateRequest('caller');
  api.addHook('onRequest', async (request, reply) => {
    const { meter } = await identifyCaller(request, reply);
    if (request.routeOptions.config.chargesItself !== true) await meter.chargeTo('reads');
  });

  async function identifyCaller(request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    const meter = meterOf(request, reply);
    const origin = originOf(request, context.platforms);
    const token = bearerToken(request);
    const apiKeyId = token === null ? null : await context.apiKeys.identify(token, origin.address);
    request.caller = { apiKeyId, ...origin, personHashes: null, channel: 'rest', meter };
    return request.caller;
  }

  return identifyCaller;
}

/** Like `identifyCallers`, for pages: API keys are ignored, and each request costs a page. */
export async function identifyVisitors(
  pages: FastifyInstance,
  context: AccessServices,
): Promise<(request: FastifyRequest, reply: FastifyReply) => Caller> {
  const meterOf = await createRateLimiter(pages, context, 'pages');
  pages.decorateRequest('caller');
  pages.addHook('onRequest', async (request, reply) => {
    await identifyVisitor(request, reply).meter.chargeTo('pages');
  });

  function identifyVisitor(request: FastifyRequest, reply: FastifyReply): Caller {
    const meter = meterOf(request, reply);
    const origin = originOf(request, context.platforms);
    request.caller = { apiKeyId: null, ...origin, personHashes: null, channel: 'page', meter };
    return request.caller;
  }

  return identifyVisitor;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller of a request to the public interface or to a page. */
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** The handler charges the request: arriving costs nothing. */
    chargesItself?: boolean;
  }
}

const pattern = /^bearer +(\S+)$/i;

/** The token of `Authorization: Bearer <token>` (RFC 6750, 2.1), or null. */
export function bearerToken({ headers }: FastifyRequest): string | null {
  const { authorization } = headers;
  return authorization === undefined ? null : (pattern.exec(authorization)?.[1] ?? null);
}

export const prefixBits = { address: 64, network: 48 } as const;

/**
 * The address, network and platform of a client for limits. If a proxy forwards something else than
 * an address, the proxy's own address is used. Reads `ip` once: Fastify derives it at each access.
 */
function originOf(
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
export function addressGroup(ip: string, bits: number): string | null {
  if (isIPv4(ip)) return ip;
  if (!ipaddr.isValid(ip)) return null;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  const network = address.toByteArray().fill(0, bits / 8);
  return `${new ipaddr.IPv6(network).toString()}/${bits}`;
}
