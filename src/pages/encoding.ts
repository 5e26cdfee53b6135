import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isFresh } from '../http/representation.js';

/** One content in every encoding that is offered. */
export interface Encoded {
  br: Buffer;
  gzip: Buffer;
  identity: Buffer;
}

/** `often`: made once and sent to many, worth the effort; `once`: made for one answer. */
export type Effort = 'often' | 'once';

/** The smallest first. */
const offered = ['br', 'gzip'] as const;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const quality = { often: { br: 9, gzip: 9 }, once: { br: 4, gzip: 5 } };

export async function encodeAll(content: Buffer, effort: Effort): Promise<Encoded> {
  const [br, gzip] = await Promise.all([
    compress(content, 'br', effort),
    compress(content, 'gzip', effort),
  ]);
  return { br, gzip, identity: content };
}

/**
 * Sends what was encoded beforehand, in the best encoding that the request accepts; with a `tag`
 * that names the content, 304 to whoever has it (RFC 9110, 13.1.2).
 */
export function sendEncoded(
  request: FastifyRequest,
  reply: FastifyReply,
  encoded: Encoded,
  tag?: string,
): FastifyReply {
  if (tag !== undefined) {
    reply.header('etag', `W/"${tag}"`);
    if (isFresh(request, `"${tag}"`)) {
      return reply.header('vary', 'accept-encoding').code(304).send();
    }
  }
  return reply.send(encoded[nameEncoding(request, reply)]);
}

/** Encodes for this one request, and sends. */
export async function encodeAndSend(
  request: FastifyRequest,
  reply: FastifyReply,
  content: Buffer,
): Promise<FastifyReply> {
  const encoding = nameEncoding(request, reply);
  if (encoding === 'identity') return reply.send(content);
  return reply.send(await compress(content, encoding, 'once'));
}

function nameEncoding(request: FastifyRequest, reply: FastifyReply): keyof Encoded {
  const acceptable = request.accepts();
  const chosen = offered.find((encoding) => acceptable.encoding([encoding]) === encoding);
  reply.header('vary', 'accept-encoding');
  if (chosen === undefined) return 'identity';
  reply.header('content-encoding', chosen);
  return chosen;
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
