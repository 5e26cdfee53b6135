import type { FastifyReply, FastifyRequest } from 'fastify';
import { codeOpensSeconds } from '../../platform/fixed-limits.js';
import { readCookie, setCookie } from '../cookies.js';

const name = 'pass';

/** The pass that the browser got for a right code; null without it. */
export function readPass(request: FastifyRequest): string | null {
  return readCookie(request, name);
}

/** `path`: of the checkout page. */
export function setPass(
  reply: FastifyReply,
  publicBaseUrl: string,
  path: string,
  pass: string,
): void {
  setCookie(reply, publicBaseUrl, { name, value: pass, path, maxAgeSeconds: codeOpensSeconds });
}
