import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The serialized body of a response, made once and sent often. */
export interface Representation {
  body: Buffer;
  /** As `entityTag`. */
  etag: string;
}

export function represent(value: object): Representation {
  const body = Buffer.from(JSON.stringify(value));
  return { body, etag: entityTag(body) };
}

/** A strong entity tag (RFC 9110, 8.8.3), equal in every process for equal bytes. */
export function entityTag(body: Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
}

/** Sends 200 with the body, or 304 if If-None-Match names its entity tag. */
export function sendRepresentation(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag }: Representation,
): FastifyReply {
  reply.header('etag', etag);
  if (isFresh(request, etag)) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(body);
}

/** Whether the request's If-None-Match names the strong `etag`, by weak comparison (RFC 9110, 13.1.2). */
export function isFresh({ headers }: FastifyRequest, etag: string): boolean {
  const condition = headers['if-none-match'];
  if (condition === undefined) return false;
  if (condition === etag || condition.trim() === '*') return true;
  return condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
