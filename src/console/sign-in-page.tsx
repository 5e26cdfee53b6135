import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { VNode } from 'preact';
import { type SignedIn, signInWithLink } from '../access/console-sessions.js';
import { relyingPartyOf } from '../access/passkey-challenges.js';
import { signInOptions, signInWithPasskey } from '../access/passkeys.js';
import type { StudioRow } from '../database/rows/studio.js';
import type { DomainServices } from '../domain/deps.js';
import { ServiceError } from '../errors.js';
import type { Assets } from '../web/assets.js';
import { button, form, type PageScope, text, tokenInPath } from '../web/forms.js';
import { Moon, StudioPage } from '../web/layout.js';
import { acceptsPages, privatePageHeaders, seeOther, sendPrivatePage } from '../web/send-page.js';
import { home, nextAddress } from './links.js';
import { PostForm } from './parts.js';
import { readSessionToken, setSessionToken } from './session.js';

export interface SignInPageProps {
  assets: Assets;
  /** Null if the studio cannot be read. */
  studio: StudioRow | null;
  /** The path of a link that signs in when its button is pressed; null without one. */
  linkPath: string | null;
  /** Whether passkeys can exist at the service's address. */
  hasPasskeys: boolean;
  /** Why the last try was refused. */
  trouble: string | null;
}

/**
 * The sign-in page, shown at every address of the console while nobody is signed in. It does not contain
 * the address, so all addresses show the same.
 */
function SignInPage(props: SignInPageProps): VNode {
  const { assets, studio, linkPath, hasPasskeys, trouble } = props;
  const showsPasskeys = hasPasskeys && linkPath === null;
  return (
    <StudioPage
      studio={studio}
      assets={assets}
      title="Sign in"
      kind="sign-in"
      script={linkPath !== null ? 'console.js' : showsPasskeys ? 'passkeys.js' : undefined}
    >
      <main class="failure-text">
        <Moon lit={0.5} />
        <h1>Sign in</h1>
        {trouble !== null && (
          <p class="trouble" role="alert">
            {trouble}
          </p>
        )}
        {linkPath !== null ? (
          <>
            <p>This link signs you in to the studio’s console, once.</p>
            <form method="post" action={linkPath}>
              <div class="actions">
                <button>Sign in</button>
              </div>
            </form>
          </>
        ) : (
          <>
            <p>This is the studio’s own console.</p>
            {showsPasskeys && <PasskeySignIn label="Sign in with a passkey" next={null} />}
            <p>
              For a link that signs you in, run <code>studio console link</code> where the service
              runs.
            </p>
          </>
        )}
      </main>
    </StudioPage>
  );
}

const passkeySignInPath = '/console/sign-in/passkey';
/** A link, not the addresses of passkeys: their other methods answer as all else without a session. */
const linkPattern = '/console/sign-in/:token(^(?!passkey(?:-options)?$).+$)';
const signInOptionsPath = '/console/sign-in/passkey-options';

export interface PasskeySignInProps {
  label: string;
  /** The page after the sign-in; null for the address of this page. */
  next: string | null;
}

/** The button that signs in with a passkey. The script shows it in browsers with passkeys. */
export function PasskeySignIn({ label, next }: PasskeySignInProps): VNode {
  return (
    <div data-passkeys hidden>
      <PostForm
        action={passkeySignInPath}
        data={{ passkey: 'sign-in', options: signInOptionsPath }}
        hidden={{ credential: '', next: next ?? '' }}
      >
        <div class="actions">
          <button>{label}</button>
        </div>
        <p class="trouble" role="alert" hidden />
      </PostForm>
    </div>
  );
}

export interface ShownSignIn {
  status: number;
  /** The path of the link whose button signs in. */
  linkPath?: string;
  /** Why the last try was refused. */
  trouble?: string;
}

export type ShowSignIn = (reply: FastifyReply, page: ShownSignIn) => Promise<FastifyReply>;

export function createSignInPages(context: DomainServices, assets: Assets): ShowSignIn {
  return async (reply, { status, linkPath = null, trouble = null }) => {
    const { request } = reply;
    const studio = await studioIfKnown(context);
    const hasPasskeys = relyingPartyOf(context.config, request.headers.host) !== null;
    const page = SignInPage({ assets, studio, linkPath, hasPasskeys, trouble });
    return sendPrivatePage(request, reply, status, page);
  };
}

/** The studio; null if the database is down: the page is shown, though nobody can sign in. */
async function studioIfKnown({ board }: DomainServices): Promise<StudioRow | null> {
  try {
    return (await board.read()).studio;
  } catch {
    return null;
  }
}

const passkeySchema = form({ credential: text, next: Type.Optional(text) });

const linkRefused =
  'This link has been used, or is older than 15 minutes. Make a new one with “studio console link”.';
const passkeyRefused =
  'This passkey was not accepted. It may have been removed. Try again, or sign in with a link.';

const withoutSession = { concerns: 'nobody' } as const;

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
  scope.get(linkPattern, ofLink, (request, reply) =>
    showSignIn(reply, { status: 200, linkPath: pathOf(request) }),
  );

  const usingLink = { schema: { ...tokenInPath, ...button }, config: withoutSession };
  scope.post(linkPattern, usingLink, async (request, reply) => {
    const { token } = request.params;
    const signedIn = await signInWithLink(context, token, formerToken(request));
    return signedIn === null ? refuse(reply, linkRefused) : welcome(reply, signedIn, home);
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
      ? refuse(reply, passkeyRefused)
      : welcome(reply, signedIn, nextAddress(next));
  });

  /** The token of the browser's previous session. */
  function formerToken(request: FastifyRequest): string | null {
    return readSessionToken(request, publicBaseUrl);
  }

  function welcome(reply: FastifyReply, { token }: SignedIn, path: string): FastifyReply {
    setSessionToken(reply, publicBaseUrl, token);
    return seeOther(reply, path);
  }

  async function refuse(reply: FastifyReply, trouble: string): Promise<FastifyReply> {
    if (!acceptsPages(reply.request)) throw new ServiceError('signed_out', { message: trouble });
    return showSignIn(reply, { status: 401, trouble });
  }
}

/** The path of the request, without its query. */
function pathOf({ url }: FastifyRequest): string {
  return url.replace(/\?.*$/s, '');
}
