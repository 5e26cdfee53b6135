import type { FastifyReply, FastifyRequest } from 'fastify';
import type { VNode } from 'preact';
import { renderToStringAsync } from 'preact-render-to-string';
import { encodeAndSend } from './encoding.js';

/** Every page may load styles, scripts and data of this origin only. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  'font-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Pages behind a person's own link are not cached, indexed or framed. */
export const privatePageHeaders = {
  'cache-control': 'no-store',
  // `no-referrer` would make Chromium post `Origin: null`.
  'referrer-policy': 'same-origin',
  'x-robots-tag': 'noindex, nofollow',
  'x-content-type-options': 'nosniff',
  'content-security-policy': contentSecurityPolicy,
};

/** Whether the client shows pages; others get the error envelope. */
export function acceptsPages(request: FastifyRequest): boolean {
  return request.headers.accept?.includes('text/html') === true;
}

async function renderPage(page: VNode): Promise<Buffer> {
  return Buffer.from(`<!doctype html>${await renderToStringAsync(page)}`);
}

export async function sendPrivatePage(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  page: VNode,
): Promise<FastifyReply> {
  reply.code(status).headers(privatePageHeaders).type('text/html; charset=utf-8');
  return encodeAndSend(request, reply, await renderPage(page));
}
