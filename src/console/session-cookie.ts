import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie, setCookie } from '../web/cookies.js';

/** The longest that a session lasts. */
const maxAgeSeconds = 30 * 24 * 3_600;

/** `__Host-` makes browsers refuse the cookie from other hosts of the domain (RFC 6265bis, 4.1.3.2). */
function nameOf(publicBaseUrl: string): string {
  return publicBaseUrl.startsWith('https:') ? '__Host-console' : 'console';
}

export function readSessionToken(request: FastifyRequest, publicBaseUrl: string): string | null {
  return readCookie(request, nameOf(publicBaseUrl));
}

export function setSessionToken(reply: FastifyReply, publicBaseUrl: string, token: string): void {
  const cookie = { name: nameOf(publicBaseUrl), value: token, path: '/', maxAgeSeconds };
  setCookie(reply, publicBaseUrl, cookie);
}

export function clearSessionToken(reply: FastifyReply, publicBaseUrl: string): void {
  const cookie = { name: nameOf(publicBaseUrl), value: '', path: '/', maxAgeSeconds: 0 };
  setCookie(reply, publicBaseUrl, cookie);
}
