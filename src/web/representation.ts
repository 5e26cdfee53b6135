import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The serialized body of a response, made once and sent often. */
export interface Representation {
  body: Buffer;
  /** See `entityTag`. */
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

/** A response body in every content encoding that is offered. */
export interface Encoded {
  br: Buffer;
  gzip: Buffer;
  identity: Buffer;
}

/**
 * `best` for bodies that are compressed once per process, `fast` for all others. @fastify/compress would
 * compress every response again, in the thread that answers: 1 ms for `openapi.json`, with 12 % more
 * bytes than `best`.
 */
export type Effort = 'best' | 'fast';

/** In the order of preference: the smallest first. */
const offered = ['br', 'gzip'] as const;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const quality = { best: { br: 9, gzip: 9 }, fast: { br: 4, gzip: 5 } };

export async function encodeAll(content: Buffer, effort: Effort): Promise<Encoded> {
  const [br, gzip] = await Promise.all([
    compress(content, 'br', effort),
    compress(content, 'gzip', effort),
  ]);
  return { br, gzip, identity: content };
}

/**
 * Sends an encoded body in the smallest encoding that the request accepts. With the `etag` of its
 * content, which is a weak one of the body, a request that has this version gets 304 (RFC 9110, 13.1.2).
 */
export function sendEncoded(
  request: FastifyRequest,
  reply: FastifyReply,
  encoded: Encoded,
  etag?: string,
): FastifyReply {
  if (etag !== undefined) {
    reply.header('etag', `W/${etag}`);
    if (isFresh(request, etag)) {
      addVary(reply, 'accept-encoding');
      return reply.code(304).send();
    }
  }
  return reply.send(encoded[negotiateEncoding(request, reply)]);
}

/** Encodes the body as the request prefers, and sends it. */
export async function encodeAndSend(
  request: FastifyRequest,
  reply: FastifyReply,
  content: Buffer,
): Promise<FastifyReply> {
  const encoding = negotiateEncoding(request, reply);
  if (encoding === 'identity') return reply.send(content);
  return reply.send(await compress(content, encoding, 'fast'));
}

/** Chooses the encoding and sets the headers that name it. */
function negotiateEncoding(request: FastifyRequest, reply: FastifyReply): keyof Encoded {
  const acceptable = request.accepts();
  const chosen = offered.find((encoding) => acceptable.encoding([encoding]) === encoding);
  addVary(reply, 'accept-encoding');
  if (chosen === undefined) return 'identity';
  reply.header('content-encoding', chosen);
  return chosen;
}

/** Names a request header that the response depends on (RFC 9110, 12.5.5). */
export function addVary(reply: FastifyReply, name: string): void {
  const present = reply.getHeader('vary');
  reply.header('vary', present === undefined ? name : `${String(present)}, ${name}`);
}

function compress(content: Buffer, encoding: 'br' | 'gzip', effort: Effort): Promise<Buffer> {
  if (encoding === 'gzip') return zip(content, { level: quality[effort].gzip });
  return brotli(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality[effort].br,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
}
