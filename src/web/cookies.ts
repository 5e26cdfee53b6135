import type { FastifyReply, FastifyRequest } from 'fastify';

/** The value of a cookie; null without it. */
export function readCookie({ cookies }: FastifyRequest, name: string): string | null {
  return cookies[name] ?? null;
}

export interface PageCookie {
  name: string;
  value: string;
  /** The browser sends it to this path and those below it only. */
  path: string;
  /** 0: the browser forgets it. */
  maxAgeSeconds: number;
}

/** Sets a cookie that no script reads and no other website's form sends. */
export function setCookie(
  reply: FastifyReply,
  publicBaseUrl: string,
  { name, value, path, maxAgeSeconds }: PageCookie,
): void {
  reply.setCookie(name, value, {
    path,
    maxAge: maxAgeSeconds,
    httpOnly: true,
    sameSite: 'lax',
    secure: publicBaseUrl.startsWith('https:'),
  });
}
