import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { codeOpensSeconds } from '../../platform/fixed-limits.js';

const name = 'pass';

/** The pass that the browser got for a right code; null without it. */
export function readPass({ headers }: FastifyRequest): string | null {
  return parseCookie(headers.cookie ?? '')[name] ?? null;
}

/** `path`: of the checkout page; the browser sends the pass to it and the pages below it only. */
export function setPass(
  reply: FastifyReply,
  publicBaseUrl: string,
  path: string,
  pass: string,
): void {
  const cookie = stringifySetCookie(name, pass, {
    path,
    maxAge: codeOpensSeconds,
    httpOnly: true,
    sameSite: 'lax',
    secure: publicBaseUrl.startsWith('https:'),
  });
  reply.header('set-cookie', cookie);
}
