import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type SignedIn, signInWithLink } from '../../access/console-sessions.js';
import { relyingPartyOf } from '../../access/passkey-challenges.js';
import { signInOptions, signInWithPasskey } from '../../access/passkeys.js';
import type { DomainServices } from '../../domain/deps.js';
import { ServiceError } from '../../errors.js';
import { button, form, type PageScope, text, tokenInPath } from '../../web/forms.js';
import { acceptsPages, privatePageHeaders, seeOther } from '../../web/send-page.js';
import { home, nextAddress } from '../links.js';
import { readSessionToken, setSessionToken } from '../session.js';
import { passkeySignInPath, type ShowSignIn, signInOptionsPath } from './sign-in-page.js';

const passkeySchema = form({ credential: text, next: Type.Optional(text) });

const linkRefused =
  'This link has been used, or is older than 15 minutes. Make a new one with “studio console link”.';
const passkeyRefused =
  'This passkey was not accepted. It may have been removed. Try again, or sign in with a link.';

const withoutSession = { signsIn: true } as const;

/** `/console/sign-in/…`, the only addresses of the console that need no session. */
export function registerSignIn(
  scope: PageScope,
  context: DomainServices,
  showSignIn: ShowSignIn,
): void {
  const { config } = context;
  const { publicBaseUrl } = config;

  // Opening a link does nothing, since mail and chat programs open every link.
  const ofLink = { schema: tokenInPath, config: withoutSession };
  scope.get('/console/sign-in/:token', ofLink, (request, reply) =>
    showSignIn(request, reply, { status: 200, linkPath: pathOf(request) }),
  );

  const usingLink = { schema: { ...tokenInPath, ...button }, config: withoutSession };
  scope.post('/console/sign-in/:token', usingLink, async (request, reply) => {
    const { token } = request.params;
    const signedIn = await signInWithLink(context, token, formerToken(request));
    return signedIn === null ? refuse(request, reply, linkRefused) : welcome(reply, signedIn, home);
  });

  scope.get(signInOptionsPath, { config: withoutSession }, async ({ headers }, reply) => {
    const party = relyingPartyOf(config, headers.host);
    if (party === null) throw new ServiceError('signed_out');
    return reply.headers(privatePageHeaders).send(await signInOptions(context, party));
  });

  const usingPasskey = { schema: passkeySchema, config: withoutSession };
  scope.post(passkeySignInPath, usingPasskey, async (request, reply) => {
    const party = relyingPartyOf(config, request.headers.host);
    const { credential, next } = request.body;
    const former = formerToken(request);
    const signedIn = party && (await signInWithPasskey(context, party, credential, former));
    return signedIn === null
      ? refuse(request, reply, passkeyRefused)
      : welcome(reply, signedIn, nextAddress(next));
  });

  // No link has this token: its page would be shown without a session.
  scope.get(passkeySignInPath, async (_request, reply) => {
    reply.header('allow', 'POST');
    throw new ServiceError('method_not_allowed');
  });

  /** The browser forgets the token that it had. */
  function formerToken(request: FastifyRequest): string | null {
    return readSessionToken(request, publicBaseUrl);
  }

  function welcome(reply: FastifyReply, { token }: SignedIn, path: string): FastifyReply {
    setSessionToken(reply, publicBaseUrl, token);
    return seeOther(reply, path);
  }

  async function refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    trouble: string,
  ): Promise<FastifyReply> {
    if (!acceptsPages(request)) throw new ServiceError('signed_out', { message: trouble });
    return showSignIn(request, reply, { status: 401, trouble });
  }
}

/** The path of the request, without its query. */
function pathOf({ url }: FastifyRequest): string {
  return url.replace(/\?.*$/s, '');
}
