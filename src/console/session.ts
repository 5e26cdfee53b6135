import csrfProtection from '@fastify/csrf-protection';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
} from 'fastify';
import { findConsoleSession, sessionActor } from '../access/console-sessions.js';
import type { ConsoleSessionRow } from '../database/rows/console.js';
import type { DomainServices } from '../domain/deps.js';
import { ServiceError } from '../errors.js';
import type { Keyring } from '../secrets/keyring.js';
import { readCookie, setCookie } from '../web/cookies.js';
import { admitArtist } from './concerns.js';

/** The session of a request. Only for routes that require one. */
export function sessionOf({ consoleSession }: FastifyRequest): ConsoleSessionRow {
  if (consoleSession === null) throw new Error('a route without a session asks for it');
  return consoleSession;
}

/** How the audit names the session of a request. Only for routes that require one. */
export function actorOf(request: FastifyRequest): string {
  return sessionActor(sessionOf(request), request.consoleArtist?.slug ?? null);
}

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

declare module 'fastify' {
  interface FastifyRequest {
    /** Null on the pages of the console that need no session. */
    consoleSession: ConsoleSessionRow | null;
  }
}

/** The header of a request by which an open page keeps itself up to date. */
const refreshHeader = 'console-refresh';

/** Whether the page's script asks, not a person. */
export function isRefresh({ headers }: FastifyRequest): boolean {
  return headers[refreshHeader] !== undefined;
}

/**
 * Passes only requests of a live session, and of routes for those who are not signed in. All others get
 * the same answer, before anything else of the request is read. The session is read from the database each time, so that an ended
 * one is ended in every process.
 */
export function requireSession(context: DomainServices): onRequestAsyncHookHandler {
  const { config, keyring } = context;
  return async (request) => {
    if (request.routeOptions.config.concerns === 'nobody') return;
    const token = readSessionToken(request, config.publicBaseUrl);
    const isUse = !isRefresh(request);
    const session = token === null ? null : await findConsoleSession(context, token, { isUse });
    if (session === null) throw new ServiceError('signed_out');
    request.consoleSession = session;
    request.session = { _csrf: csrfSecret(keyring, session.id) };
    if (session.artist_id !== null) await admitArtist(context, request, session.artist_id);
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The place where the plugin reads its secret. Null without a session. */
    session: { _csrf: string } | null;
  }
}

/** The field of a form that holds the token. */
export const csrfField = '_csrf';

/**
 * Adds `reply.generateCsrf()`, and refuses every POST of this scope without a token of the same session:
 * the secret is derived from the session.
 */
export async function protectForms(scope: FastifyInstance): Promise<void> {
  scope.decorateRequest('session', null);
  await scope.register(csrfProtection, {
    sessionPlugin: '@fastify/session',
    sessionKey: csrfField,
    getToken: ({ body }: FastifyRequest) => {
      const token = (body as Record<string, unknown> | undefined)?.[csrfField];
      return typeof token === 'string' ? token : undefined;
    },
    logLevel: 'debug',
  });
  // This precedes the validation: a form of no session learns nothing about its fields.
  scope.addHook('preValidation', (request, reply, done) => {
    if (request.method !== 'POST' || request.session === null) done();
    else scope.csrfProtection(request, reply, done);
  });
}

/** The secret of a session's tokens, which the database does not know. */
function csrfSecret(keyring: Keyring, sessionId: string): string {
  return keyring.fingerprint(sessionId, 'console csrf').toString('base64url');
}

/** The plugin's refusals as errors of the catalogue; any other error as it is. */
export function explainCsrfError(error: Error): Error {
  const { code = '' } = error as { code?: string };
  if (!code.startsWith('FST_CSRF_')) return error;
  return new ServiceError('forbidden', {
    message: 'This form is not of your session, or out of date. Open the page again.',
  });
}
