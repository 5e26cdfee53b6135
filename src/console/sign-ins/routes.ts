import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { h } from 'preact';
import {
  createArtistLink,
  endConsoleSessions,
  endOtherSessions,
  maxSessionNameLength,
  parseSessionName,
  readSignIns,
} from '../../access/console-sessions.js';
import { type RelyingParty, relyingPartyOf } from '../../access/passkey-challenges.js';
import { addPasskey, registrationOptions, removePasskey } from '../../access/passkeys.js';
import type { DomainServices } from '../../domain/deps.js';
import { ServiceError } from '../../errors.js';
import {
  anyText,
  button,
  choice,
  form,
  formRefused,
  type PageScope,
  text,
} from '../../web/forms.js';
import { privatePageHeaders, seeOther } from '../../web/send-page.js';
import { findArtist } from '../artist-choice.js';
import { idInPath, type Outcome, showsDone } from '../console-page.js';
import { home, signInsPath } from '../links.js';
import { actorOf, clearSessionToken, sessionOf } from '../session.js';
import { AskSignOut, linksPath, SignInsPage, type SignInsPageProps } from './sign-ins-page.js';

const passkeySchema = form({ credential: text, name: anyText });

const signOutSchema = form({ sure: Type.Optional(choice('yes')) });

const messages = {
  ended: 'Signed out.',
  'ended-others': 'All others are signed out.',
  added: 'The passkey is added. From now on it signs you in.',
  removed: 'The passkey is removed.',
} as const;

const refusals = {
  refused:
    'This passkey was not accepted: the form was too old, or the passkey did not verify you.',
  known: 'This passkey has been added before.',
  too_old_for_link:
    'Your sign-in is older than 10 minutes. Sign in again to make a link for an artist.',
  sign_in_again: 'Your sign-in is older than 10 minutes. Sign in again to add a passkey.',
} as const;

/** `/console/sign-ins`: who is signed in, and the passkeys. */
export function registerSignIns(scope: PageScope, context: DomainServices): void {
  const { config } = context;

  scope.post('/console/sign-out', { schema: signOutSchema }, async (request, reply) => {
    const own = sessionOf(request);
    const { passkeys } = await readSignIns(context, own);
    const hasWayBack = passkeys.length > 0 && relyingPartyOf(config, request.headers.host) !== null;
    if (!hasWayBack && request.body.sure !== 'yes') {
      const page = { section: 'signIns', title: 'Sign out?', children: AskSignOut() } as const;
      return reply.showPage(page);
    }
    await endConsoleSessions(context, actorOf(request), [own.id]);
    clearSessionToken(reply, config.publicBaseUrl);
    return seeOther(reply, home);
  });

  // This is for forms that were opened in an earlier session.
  scope.get('/console/token', async (_request, reply) =>
    reply.headers(privatePageHeaders).type('text/plain').send(reply.generateCsrf()),
  );

  scope.get(signInsPath, { schema: showsDone }, (_request, reply) => show(reply));

  const ofOne = { schema: { ...idInPath, ...button } };
  scope.post(`${signInsPath}/sessions/:id/end`, ofOne, async (request, reply) => {
    await endConsoleSessions(context, actorOf(request), [request.params.id]);
    return seeOther(reply, `${signInsPath}?done=ended`);
  });

  scope.post(`${signInsPath}/end-others`, { schema: button }, async (request, reply) => {
    await endOtherSessions(context, actorOf(request), sessionOf(request));
    return seeOther(reply, `${signInsPath}?done=ended-others`);
  });

  scope.post(`${signInsPath}/passkeys/:id/remove`, ofOne, async (request, reply) => {
    await removePasskey(context, actorOf(request), request.params.id);
    return seeOther(reply, `${signInsPath}?done=removed`);
  });

  // The link is only in the response to its form: a redirect would put it into the console's address.
  const linking = { config: { concerns: 'owner' }, schema: form({ artist: text }) } as const;
  scope.post(linksPath, linking, async (request, reply) => {
    const artist = await findArtist(context, request, request.body.artist);
    if (artist === null || artist.isHidden) throw formRefused();
    const link = await createArtistLink(context, sessionOf(request), artist);
    if (link === null) return show(reply, { trouble: refusals.too_old_for_link });
    const url = `${config.publicBaseUrl}/console/sign-in/${link.token}`;
    return show(reply, { newLink: { artist, url } });
  });
  scope.get(linksPath, { config: linking.config }, (_request, reply) =>
    seeOther(reply, signInsPath),
  );

  scope.get(`${signInsPath}/passkey-options`, async (request, reply) => {
    const party = requireParty(request);
    const { studio } = await context.board.read();
    const options = await registrationOptions(context, party, sessionOf(request), {
      studio: studio.name,
      artist: request.consoleArtist?.name ?? null,
    });
    if (options === null) throw new ServiceError('forbidden', { message: refusals.sign_in_again });
    return reply.headers(privatePageHeaders).send(options);
  });

  scope.post(`${signInsPath}/passkeys`, { schema: passkeySchema }, async (request, reply) => {
    const party = requireParty(request);
    const { credential } = request.body;
    const name = parseSessionName(request.body.name);
    if (name === null) {
      const trouble = `Give the passkey a name of 1 to ${maxSessionNameLength} characters.`;
      return show(reply, { status: 400, trouble, typedName: '' });
    }
    const passkey = { posted: credential, name };
    const session = sessionOf(request);
    const added = await addPasskey(context, party, actorOf(request), session, passkey);
    if (added.outcome === 'added') return seeOther(reply, `${signInsPath}?done=added`);
    const trouble = refusals[added.outcome];
    return show(reply, { trouble, typedName: name });
  });

  function requireParty({ headers }: FastifyRequest): RelyingParty {
    const party = relyingPartyOf(config, headers.host);
    if (party === null) throw new ServiceError('not_found');
    return party;
  }

  /** Shows the page. `typedName`: from a refused form. */
  async function show(
    reply: FastifyReply,
    {
      typedName = null,
      newLink = null,
      ...outcome
    }: Outcome & Partial<Pick<SignInsPageProps, 'typedName' | 'newLink'>> = {},
  ): Promise<FastifyReply> {
    const own = sessionOf(reply.request);
    const hasPasskeys = relyingPartyOf(config, reply.request.headers.host) !== null;
    const signIns = await readSignIns(context, own);
    return reply.showPage({
      ...outcome,
      section: 'signIns',
      title: 'Sign-ins',
      messages,
      script: hasPasskeys ? 'passkeys.js' : undefined,
      children: h(SignInsPage, { ...signIns, own, hasPasskeys, typedName, newLink }),
    });
  }
}
