import accepts from '@fastify/accepts';
import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DomainServices } from '../domain/deps.js';
import { ServiceError } from '../errors.js';
import { identifyVisitors } from '../access/identify-caller.js';
import { reportFailure, sendError, toServiceError } from '../http/plugins/errors.js';
import { chargeFailedRequest } from '../http/charge-failure.js';
import type { StudioRow } from '../repositories/studio.js';
import { registerAssets, type Assets } from './assets.js';
import { bookPath } from './book-link.js';
import { registerBook } from './book/routes.js';
import { registerCalendarFeed } from './calendar-feed.js';
import { registerCheckout } from './checkout/routes.js';
import { registerDashboard } from './dashboard/routes.js';
import { registerDiscovery } from './discovery.js';
import { registerDocs } from './docs.js';
import { registerEmbed } from './embed.js';
import { createGuide } from './guide/guide.js';
import { ErrorPage } from './error-page.js';
import { registerSecurityTxt } from './security-txt.js';
import { registerReminders } from './reminders/routes.js';
import { acceptsPages, sendFramablePage, sendPrivatePage } from './send-page.js';

/** Refuses every content type but forms, including JSON, which the app parses elsewhere. */
function acceptFormsOnly(pages: FastifyInstance): void {
  pages.removeContentTypeParser('application/json');
  pages.addContentTypeParser('*', (_request, _body, done) => {
    const message = 'Only the form on the page may be sent here.';
    done(new ServiceError('unsupported_media_type', { message }));
  });
}

/**
 * Registers everything outside the API prefix that people and crawlers open, charged to the budget
 * `pages`. `registerMore` adds routes of other folders to the same scope.
 */
export function registerPages(
  app: FastifyInstance,
  context: DomainServices,
  registerMore: (pages: FastifyInstance, assets: Assets) => void,
): void {
  app.register(async (pages) => {
    await pages.register(accepts);
    await pages.register(cookie);
    await pages.register(formbody);
    acceptFormsOnly(pages);
    const assets = registerAssets(pages);
    registerEmbed(pages);
    const identifyVisitor = await identifyVisitors(pages, context);
    pages.setErrorHandler(async (error: Error, request, reply) => {
      const identify = () => identifyVisitor(request, reply);
      const failure = await chargeFailedRequest(request, toServiceError(error), identify);
      return sendErrorPage(request, reply, failure);
    });
    registerBook(pages, context, assets);
    registerCalendarFeed(pages, context);
    registerCheckout(pages, context, assets);
    const guide = createGuide(context);
    registerDashboard(pages, context, assets, guide);
    registerDiscovery(pages, context, guide);
    registerDocs(pages, context, guide);
    registerReminders(pages, context, assets);
    registerSecurityTxt(pages, context);
    registerMore(pages, assets);

    async function sendErrorPage(
      request: FastifyRequest,
      reply: FastifyReply,
      error: ServiceError,
    ): Promise<FastifyReply> {
      if (!acceptsPages(request)) return sendError(request, reply, error);
      const status = reportFailure(request, reply, error);
      const isFramable = request.method !== 'POST' && request.routeOptions.url === bookPath;
      const studio = await studioIfKnown();
      const props = { assets, error, requestId: request.id, studio, isFramable };
      if (!isFramable) return sendPrivatePage(request, reply, status, ErrorPage(props));
      return sendFramablePage(request, reply, status, context.config, ErrorPage(props));
    }

    /** Null without a database: the error page is shown all the same. */
    async function studioIfKnown(): Promise<StudioRow | null> {
      try {
        return (await context.board.read()).studio;
      } catch {
        return null;
      }
    }
  });
}
