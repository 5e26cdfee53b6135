import type { FastifyRequest } from 'fastify';

const pattern = /^bearer +(\S+)$/i;

/** The token of `Authorization: Bearer <token>` (RFC 6750, 2.1), or null. */
export function bearerToken({ headers }: FastifyRequest): string | null {
  const { authorization } = headers;
  return authorization === undefined ? null : (pattern.exec(authorization)?.[1] ?? null);
}
