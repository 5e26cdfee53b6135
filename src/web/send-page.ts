import type { FastifyReply, FastifyRequest } from 'fastify';
import { h, type VNode } from 'preact';
import { renderToStringAsync } from 'preact-render-to-string';
import type { Config } from '../config/config.js';
import { LanguageContext } from '../locales/context.js';
import { english, type Language } from '../locales/language.js';
import { languageOf } from './language.js';
import {
  encodeAll,
  encodeAndSend,
  type Encoded,
  entityTag,
  sendEncoded,
} from './representation.js';

const selfOnly = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "manifest-src 'self'",
  'font-src data:',
  "form-action 'self'",
  "base-uri 'none'",
].join('; ');

/** Every page may load styles, scripts and data of this origin only. */
const contentSecurityPolicy = `${selfOnly}; frame-ancestors 'none'`;

/** Pages behind a person's own link are not cached, indexed or framed. */
export const privatePageHeaders = {
  'cache-control': 'no-store',
  // `no-referrer` would make Chromium post `Origin: null`.
  'referrer-policy': 'same-origin',
  'x-robots-tag': 'noindex, nofollow',
  'x-content-type-options': 'nosniff',
  'content-security-policy': contentSecurityPolicy,
};

/** The headers of a page that may be framed by these origins; it says itself whether it may be indexed. */
function framablePageHeaders(origins: readonly string[]): Record<string, string> {
  const { 'x-robots-tag': _, ...headers } = privatePageHeaders;
  if (origins.length === 0) return headers;
  const ancestors = ["'self'", ...origins].join(' ');
  return { ...headers, 'content-security-policy': `${selfOnly}; frame-ancestors ${ancestors}` };
}

/** Redirects to another page (303), so that going back or reloading after a form posts nothing again. */
export function seeOther(reply: FastifyReply, path: string): FastifyReply {
  return reply.headers(privatePageHeaders).redirect(path, 303);
}

/** Whether the client shows pages; others, and everything below `/api`, get the error envelope. */
export function acceptsPages({ headers, url }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') === true && !isApi(url);
}

export function isApi(url: string): boolean {
  return /^\/api(?![^/?])/.test(url);
}

async function renderPage(language: Language, page: VNode): Promise<Buffer> {
  // English is the context's default: a provider would keep each component that reads it.
  const spoken =
    language === english
      ? renderToStringAsync(page)
      : renderToStringAsync(h(LanguageContext.Provider, { value: language }, page));
  return Buffer.from(`<!doctype html>${await spoken}`);
}

/** A page that many requests get, rendered once in every encoding. */
export async function encodePage(language: Language, page: VNode): Promise<Encoded> {
  return encodeAll(await renderPage(language, page), 'fast');
}

/** A page that is the same for everybody, in every encoding. */
export interface PublicPage {
  encoded: Encoded;
  /** The entity tag of its content. */
  etag: string;
}

export async function encodePublicPage(language: Language, page: VNode): Promise<PublicPage> {
  const content = await renderPage(language, page);
  return { encoded: await encodeAll(content, 'fast'), etag: entityTag(content) };
}

/** The headers of pages that are cached but revalidated each time: an unchanged one costs a 304. */
const publicPageHeaders = {
  'cache-control': 'no-cache',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'content-security-policy': contentSecurityPolicy,
};

export function sendPublicPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { encoded, etag }: PublicPage,
): FastifyReply {
  reply.headers(publicPageHeaders).type('text/html; charset=utf-8');
  return sendEncoded(request, reply, encoded, etag);
}

export function sendPrivatePage(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  page: VNode,
): Promise<FastifyReply> {
  return sendPage(request, reply, status, privatePageHeaders, page);
}

/**
 * Sends a page that the websites in `embedOrigins` may frame. It is not cached, so that going back shows
 * it as it is then.
 */
export function sendFramablePage(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  { embedOrigins }: Pick<Config, 'embedOrigins'>,
  page: VNode | Encoded,
): Promise<FastifyReply> {
  if (embedOrigins.length > 0) reply.removeHeader('x-frame-options');
  return sendPage(request, reply, status, framablePageHeaders(embedOrigins), page);
}

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  headers: Record<string, string>,
  page: VNode | Encoded,
): Promise<FastifyReply> {
  reply.code(status).headers(headers).type('text/html; charset=utf-8');
  return 'identity' in page
    ? sendEncoded(request, reply, page)
    : encodeAndSend(request, reply, await renderPage(languageOf(request), page));
}
