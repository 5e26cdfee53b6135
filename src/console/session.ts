import type { FastifyRequest } from 'fastify';
import { sessionActor } from '../access/console-sessions.js';
import type { ConsoleSessionRow } from '../database/console-tables.js';

/** The session of a request. Only for routes that require one. */
export function sessionOf({ consoleSession }: FastifyRequest): ConsoleSessionRow {
  if (consoleSession === null) throw new Error('a route without a session asks for it');
  return consoleSession;
}

/** How the audit names the session of a request. Only for routes that require one. */
export function actorOf(request: FastifyRequest): string {
  return sessionActor(sessionOf(request));
}
