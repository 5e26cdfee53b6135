import csrfProtection from '@fastify/csrf-protection';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.js';
import type { Keyring } from '../secrets/keyring.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Where the plugin reads its secret. Null without a session. */
    session: { _csrf: string } | null;
  }
}

/** The field of a form that holds the token. */
export const csrfField = '_csrf';

/**
 * Adds `reply.generateCsrf()`, and refuses every POST of this scope without a token that it made for the
 * same session. The secret is derived from the session, so a token of another session is worth nothing.
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
  // Before the fields are validated: what is wrong with a form that is not of the session is not told.
  scope.addHook('preValidation', (request, reply, done) => {
    if (request.method !== 'POST' || request.session === null) done();
    else scope.csrfProtection(request, reply, done);
  });
}

/** The secret of a session's tokens, which the database does not know. */
export function csrfSecret(keyring: Keyring, sessionId: string): string {
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
