import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DomainServices } from '../domain/deps.js';
import type { ErrorCode } from '../errors.js';
import type { Assets } from '../web/assets.js';
import type { PageScope } from '../web/forms.js';
import { refuseForeignPosts } from '../web/origins.js';
import { reportFailure, throwNotFound, toServiceError } from '../web/plugins/errors.js';
import { acceptsPages, seeOther } from '../web/send-page.js';
import { registerArtists } from './artists/routes.js';
import { registerAudit } from './audit/audit-page.js';
import { registerBookings } from './bookings/routes.js';
import { registerCalendars } from './calendars/routes.js';
import { registerClient } from './clients/client-page.js';
import { registerClientList } from './clients/clients-page.js';
import { concern, expectConcerns } from './concerns.js';
import { decorateWithPages, type ShownPage } from './console-page.js';
import { registerDays } from './day/day.js';
import { registerFigures } from './figures-page.js';
import { registerClosures } from './hours/closure-routes.js';
import { registerHours } from './hours/hours-page.js';
import { registerOpenings } from './hours/openings.js';
import { registerUndecided } from './hours/undecided-routes.js';
import { registerWeeks } from './hours/weeks-routes.js';
import { registerKeys } from './keys-page.js';
import { home } from './links.js';
import { registerMail } from './mail/routes.js';
import { explainCsrfError, protectForms, requireSession } from './session.js';
import { createSignInPages, registerSignIn } from './sign-in-page.js';
import { registerSignIns } from './sign-ins/routes.js';
import { registerStudio } from './studio/routes.js';
import { registerWebhooks } from './webhooks/routes.js';

/** `/console`: the studio's own pages. Without a session, all addresses answer the same. */
export function registerConsole(pages: PageScope, context: DomainServices, assets: Assets): void {
  const showSignIn = createSignInPages(context, assets);

  pages.register(async (scope) => {
    scope.decorateRequest('consoleSession', null);
    scope.decorateRequest('consoleArtist', null);
    decorateWithPages(scope, context, assets);
    scope.setErrorHandler(showError);
    await scope.register(async (signedIn) => {
      signedIn.addHook('onRequest', requireSession(context));
      const refuseForeign = refuseForeignPosts(
        context,
        'Only the studio’s people change something here, in their own browser.',
      );
      signedIn.addHook('onRequest', async (request) => {
        if (request.method === 'POST') await refuseForeign(request);
      });
      await protectForms(signedIn);
      // The page after a change shows it.
      signedIn.addHook('onSend', async ({ method }, { statusCode }) => {
        if (method === 'POST' && statusCode === 303) await context.board.refresh().catch(() => {});
      });

      expectConcerns(signedIn);
      registerSignIn(signedIn, context, showSignIn);
      signedIn.register(async (ofArtists) => {
        concern(ofArtists, 'artist');
        registerDays(ofArtists, context);
        registerBookings(ofArtists, context);
        registerClientList(ofArtists, context);
        registerClient(ofArtists, context);
        registerMail(ofArtists, context);
        registerClosures(ofArtists, context);
        registerUndecided(ofArtists, context);
        registerCalendars(ofArtists, context);
        registerSignIns(ofArtists, context);
      });
      signedIn.register(async (ofOwner) => {
        concern(ofOwner, 'owner');
        registerWebhooks(ofOwner, context);
        registerKeys(ofOwner, context);
        registerFigures(ofOwner, context);
        registerAudit(ofOwner, context);
        registerHours(ofOwner, context);
        registerWeeks(ofOwner, context);
        registerOpenings(ofOwner, context);
        registerStudio(ofOwner, context);
        registerArtists(ofOwner, context);
      });

      // An unknown path gets the same answer as any other without a session, so it is in this scope.
      signedIn.register(
        (unknown, _options, done) => {
          unknown.setNotFoundHandler(throwNotFound);
          done();
        },
        { prefix: '/console' },
      );
    });
  });

  /** Shows failures in a session in the console, all others as on every page. */
  async function showError(
    error: Error,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const failure = toServiceError(explainCsrfError(error));
    if (!acceptsPages(request)) throw failure;
    if (failure.code === 'signed_out') {
      return showSignIn(reply, { status: reportFailure(request, reply, failure) });
    }
    if (request.consoleSession === null) throw failure;
    // The address of a form was opened after a sign-in or from the history.
    if (failure.code === 'method_not_allowed' && request.method === 'GET') {
      return seeOther(reply, home);
    }
    const status = reportFailure(request, reply, failure);
    const shown = texts[failure.code] ?? failed;
    return reply.showPage({ ...shown, status, section: 'today', children: null });
  }
}

type ErrorText = Pick<ShownPage, 'title' | 'trouble'>;

const texts: Partial<Record<ErrorCode, ErrorText>> = {
  not_found: {
    title: 'Not found',
    trouble: 'There is no such page. What you look for may have been erased.',
  },
  forbidden: {
    title: 'Not done',
    trouble: 'This form was not of your session, or out of date. Open the page again.',
  },
  origin_mismatch: {
    title: 'Not done',
    trouble:
      'The console is open at an address other than PUBLIC_BASE_URL, and forms work only there. Open it at that address, or set PUBLIC_BASE_URL to this one; “studio doctor” says more.',
  },
  invalid_request: {
    title: 'Not done',
    trouble: 'The form was incomplete or out of date. Open the page again.',
  },
  payload_too_large: { title: 'Not done', trouble: 'That is too much text.' },
  service_unavailable: {
    title: 'Not available',
    trouble: 'The service cannot answer right now. Try again in a few seconds.',
  },
};

const failed: ErrorText = {
  title: 'Something failed',
  trouble: 'Something failed on our side. Try again; the log of the service says more.',
};
