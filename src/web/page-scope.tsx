import accepts from '@fastify/accepts';
import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchemaCompiler } from 'fastify';
import { identifyVisitors } from '../access/identify-caller.js';
import type { AccessServices } from '../access/services.js';
import type { CalendarServices } from '../board/services.js';
import type { StudioRow } from '../database/rows/studio.js';
import { ServiceError } from '../errors.js';
import { registerAssets, type Assets } from './assets.js';
import { chargeFailedRequest } from './charge-failure.js';
import { ErrorPage } from './error-page.js';
import { formRefused, normalizeFields } from './forms.js';
import { chooseLanguages } from './language.js';
import { reportFailure, sendError, throwNotFound, toServiceError } from './plugins/errors.js';
import { acceptsPages, isApi, seeOther, sendFramablePage, sendPrivatePage } from './send-page.js';

/**
 * Prepares the scope of everything that people and crawlers open: it takes forms only, charges each
 * request to the budget `pages`, and shows failures, and paths without a route outside the public
 * interface, as pages. Returns the assets of the pages.
 */
export async function preparePageScope(
  pages: FastifyInstance,
  context: AccessServices & Pick<CalendarServices, 'board' | 'config' | 'languages'>,
): Promise<Assets> {
  await pages.register(accepts);
  await pages.register(cookie);
  await pages.register(formbody);
  acceptFormsOnly(pages);
  validateFields(pages);
  const assets = registerAssets(pages);
  chooseLanguages(pages, context);
  const identifyVisitor = await identifyVisitors(pages, context);
  mendLinks(pages);
  pages.setNotFoundHandler(throwNotFound);
  // This precedes the parsing: the type of a body does not matter without a route.
  pages.addHook('preParsing', async (request) => {
    if (request.is404) throwNotFound();
  });
  pages.setErrorHandler(async (error: Error, request, reply) => {
    const identify = () => identifyVisitor(request, reply);
    const failure = await chargeFailedRequest(request, toServiceError(error), identify);
    return sendErrorPage(request, reply, failure);
  });
  return assets;

  async function sendErrorPage(
    request: FastifyRequest,
    reply: FastifyReply,
    error: ServiceError,
  ): Promise<FastifyReply> {
    if (!acceptsPages(request)) return sendError(request, reply, error);
    const status = reportFailure(request, reply, error);
    const isFramable = request.method !== 'POST' && request.routeOptions.config.isFramable === true;
    const studio = await studioIfKnown();
    const { publicBaseUrl } = context.config;
    const shown = { assets, error, request, studio, isFramable, publicBaseUrl };
    const page = <ErrorPage {...shown} />;
    return isFramable
      ? sendFramablePage(request, reply, status, context.config, page)
      : sendPrivatePage(request, reply, status, page);
  }

  /** Null without a database: the error page is shown all the same. */
  async function studioIfKnown(): Promise<StudioRow | null> {
    try {
      return (await context.board.read()).studio;
    } catch {
      return null;
    }
  }
}

/**
 * Characters that chats and mail programs append to a link: the end of a sentence, a bracket or Markdown,
 * and the next character. No path and no token ends so.
 */
const appended = /(?:[!"')*,.:;>\]`}]|%(?:2[1279ACE]|3[ABEF]|5D|60|7D))+(.?)/gi;

/**
 * Redirects to the intended address of a link. Addresses of the interface and searches of the console may
 * end in such characters.
 */
function mendLinks(pages: FastifyInstance): void {
  pages.addHook('onRequest', (request, reply, done) => {
    const { method, url, originalUrl } = request;
    const meant = url.replace(appended, (found, next: string) =>
      /[^?]/.test(next) ? found : next,
    );
    // `OPTIONS *` and its like name no path.
    const isTaken =
      meant === url || !originalUrl.startsWith('/') || isApi(url) || /^\/console\b.*\?/.test(url);
    if (isTaken || !['GET', 'HEAD'].includes(method)) done();
    // A path that begins with `//` would lead to another host.
    else seeOther(reply, meant.replace(/^[/\\]+/, '/'));
  });
}

/** Refuses every content type but forms, including JSON, which the app parses elsewhere. */
function acceptFormsOnly(pages: FastifyInstance): void {
  pages.removeContentTypeParser('application/json');
  pages.addContentTypeParser('*', (_request, _body, done) => {
    const message = 'Only the form on the page may be sent here.';
    done(new ServiceError('unsupported_media_type', { message }));
  });
}

/**
 * Validates forms and addresses by the schemas of their routes. All fields are text. A form that breaks
 * its schema is not the page's; a wrong field of an address counts as missing.
 */
function validateFields(pages: FastifyInstance): void {
  pages.addHook('onRoute', ({ url, method, schema }) => {
    const lacksBody = method === 'POST' && schema?.body === undefined;
    const lacksParams = url.includes(':') && schema?.params === undefined;
    if (lacksBody || lacksParams) throw new Error(`${String(method)} ${url} has no schema`);
  });
  const compile = pages.validatorCompiler as FastifySchemaCompiler<unknown>;
  pages.addHook('preValidation', (request, _reply, done) => {
    if (request.method === 'POST') normalizeFields(request);
    done();
  });
  pages.setValidatorCompiler((route) => {
    const validate = compile({ ...route, httpPart: 'querystring' });
    if (route.httpPart !== 'querystring') return validate;
    return (fields: Record<string, unknown>) => {
      if (validate(fields) === true) return true;
      for (const { instancePath } of validate.errors ?? []) {
        delete fields[instancePath.split('/')[1] ?? ''];
      }
      return true;
    };
  });
  pages.setSchemaErrorFormatter((_errors, part) =>
    part === 'body' ? formRefused() : new ServiceError('not_found'),
  );
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The websites in EMBED_ORIGINS may frame what the route answers, its failures too. */
    isFramable?: boolean;
  }
}
