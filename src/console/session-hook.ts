import type { onRequestAsyncHookHandler } from 'fastify';
import { findConsoleSession } from '../access/console-sessions.js';
import type { ConsoleSessionRow } from '../database/console-tables.js';
import type { DomainServices } from '../domain/deps.js';
import { ServiceError } from '../errors.js';
import { csrfSecret } from './csrf.js';
import { readSessionToken } from './session-cookie.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null on the pages of the console that need no session. */
    consoleSession: ConsoleSessionRow | null;
  }
  interface FastifyContextConfig {
    /** A route of the console that signs in. */
    signsIn?: true;
  }
}

/** The header of a request by which an open page keeps itself up to date. */
const refreshHeader = 'console-refresh';

/**
 * Lets only requests of a live session pass, and those to routes that sign in. All others get the same
 * answer, before anything else about the request is looked at. The session is read from the database
 * each time, so that one which is ended is ended for every process.
 */
export function requireSession(context: DomainServices): onRequestAsyncHookHandler {
  const { config, keyring } = context;
  return async (request) => {
    if (request.routeOptions.config.signsIn === true) return;
    const token = readSessionToken(request, config.publicBaseUrl);
    const isUse = request.headers[refreshHeader] === undefined;
    const session = token === null ? null : await findConsoleSession(context, token, { isUse });
    if (session === null) throw new ServiceError('signed_out');
    request.consoleSession = session;
    request.session = { _csrf: csrfSecret(keyring, session.id) };
  };
}
