import type { FastifyReply, FastifyRequest } from 'fastify';
import { codeOpensSeconds } from '../../platform/fixed-limits.js';

const name = 'pass';

/** What the browser keeps since its person typed a right code; null without it. */
export function readPass({ headers }: FastifyRequest): string | null {
  for (const pair of headers.cookie?.split(';') ?? []) {
    const [key, value] = pair.trim().split('=');
    if (key === name && value !== undefined) return value;
  }
  return null;
}

/** `path`: of the checkout page, which is the only one that gets it. */
export function setPass(
  reply: FastifyReply,
  publicBaseUrl: string,
  path: string,
  pass: string,
): void {
  const attributes = [`Path=${path}`, `Max-Age=${codeOpensSeconds}`, 'HttpOnly', 'SameSite=Lax'];
  if (publicBaseUrl.startsWith('https:')) attributes.push('Secure');
  reply.header('set-cookie', [`${name}=${pass}`, ...attributes].join('; '));
}
