import type { FastifyReply } from 'fastify';
import type { VNode } from 'preact';
import { relyingPartyOf } from '../../access/passkey-challenges.js';
import type { DomainServices } from '../../domain/deps.js';
import type { StudioRow } from '../../repositories/studio.js';
import type { Assets } from '../../web/assets.js';
import { Moon, StudioPage } from '../../web/layout.js';
import { sendPrivatePage } from '../../web/send-page.js';
import { PostForm } from '../parts.js';

export interface SignInPageProps {
  assets: Assets;
  /** Null if the studio cannot be read. */
  studio: StudioRow | null;
  /** The address of a link, which signs in when its button is pressed; null without one. */
  linkPath: string | null;
  /** Whether passkeys can exist at the service's address. */
  hasPasskeys: boolean;
  /** Why the last try was refused. */
  trouble: string | null;
}

/**
 * Signs in to the console; shown at every address of it while nobody is signed in. It does not contain
 * the address, so that all addresses show the same.
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

export const passkeySignInPath = '/console/sign-in/passkey';
export const signInOptionsPath = '/console/sign-in/passkey-options';

export interface PasskeySignInProps {
  label: string;
  /** The page to show after it; null for the address of this page. */
  next: string | null;
}

/** The button that signs in with a passkey. The script shows it where the browser has passkeys. */
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
  /** Of a link whose button signs in. */
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

/** Null without a database: nobody can sign in then, but the page is shown all the same. */
async function studioIfKnown({ board }: DomainServices): Promise<StudioRow | null> {
  try {
    return (await board.read()).studio;
  } catch {
    return null;
  }
}
