import type { FastifyReply, FastifyRequest } from 'fastify';
import { relyingPartyOf } from '../../access/passkey-responses.js';
import type { DomainServices } from '../../domain/deps.js';
import type { Assets } from '../../web/assets.js';
import { sendPrivatePage } from '../../web/send-page.js';
import type { StudioRow } from '../../repositories/studio.js';
import { SignInPage } from './sign-in-page.js';

export interface ShownSignIn {
  status: number;
  /** Of a link whose button signs in. */
  linkPath?: string;
  /** Why the last try was refused. */
  trouble?: string;
}

export type ShowSignIn = (
  request: FastifyRequest,
  reply: FastifyReply,
  page: ShownSignIn,
) => Promise<FastifyReply>;

export function createSignInPages(context: DomainServices, assets: Assets): ShowSignIn {
  return async (request, reply, { status, linkPath = null, trouble = null }) => {
    const studio = await studioIfKnown(context);
    const hasPasskeys = relyingPartyOf(context.config, request.headers.host) !== null;
    return sendPrivatePage(
      request,
      reply,
      status,
      SignInPage({ assets, studio, linkPath, hasPasskeys, trouble }),
    );
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
