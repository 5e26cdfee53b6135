import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { VNode } from 'preact';
import { renderToStringAsync } from 'preact-render-to-string';
import type { Context } from '../context.js';
import { confirmCheckout, findCheckout, holdAgain, releaseCheckout } from '../domain/checkout.js';
import { errors, ServiceError } from '../errors.js';
import { callerOf } from '../http/caller.js';
import { sendError, toServiceError } from '../http/plugins/errors.js';
import { registerAssets } from './assets.js';
import { CheckoutPage } from './checkout-page.js';
import { ErrorPage } from './error-page.js';
import { refuseForeignPosts } from './same-origin.js';

interface CheckoutRoute {
  Params: { token: string };
  Body: { action?: string };
}

const pageHeaders = {
  'cache-control': 'no-store',
  // `no-referrer` would make Chromium post `Origin: null`.
  'referrer-policy': 'same-origin',
  'x-robots-tag': 'noindex, nofollow',
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
};

/** The pages that people open. */
export function registerPages(app: FastifyInstance, context: Context): void {
  const assets = registerAssets(app);
  const { publicBaseUrl } = context.config;

  app.register(async (pages) => {
    await pages.register(formbody);
    pages.setErrorHandler((error: Error, request, reply) =>
      sendErrorPage(request, reply, toServiceError(error)),
    );

    pages.get<CheckoutRoute>('/checkout/:token', async (request, reply) => {
      const checkout = await findCheckout(context, request.params.token);
      if (checkout === null) throw linkUnknown();
      const { studio } = await context.board.read();
      const now = context.clock.now();
      return sendPage(reply, 200, CheckoutPage({ assets, checkout, studio, now }));
    });

    pages.post<CheckoutRoute>(
      '/checkout/:token',
      { onRequest: refuseForeignPosts(publicBaseUrl) },
      async (request, reply) => {
        const { token } = request.params;
        if ((await findCheckout(context, token)) === null) throw linkUnknown();
        const next = await act(request, token);
        // The answer to a post is a page to open: going back or reloading repeats nothing.
        return reply.headers(pageHeaders).redirect(`/checkout/${next}`, 303);
      },
    );

    async function act(request: FastifyRequest<CheckoutRoute>, token: string): Promise<string> {
      switch (request.body?.action) {
        case 'confirm':
          await confirmCheckout(context, token);
          return token;
        case 'release':
          await releaseCheckout(context, token, 'pending');
          return token;
        case 'cancel':
          await releaseCheckout(context, token, 'confirmed');
          return token;
        case 'hold_again':
          return (await holdAgain(context, callerOf(request), token))?.checkoutToken ?? token;
        default:
          throw new ServiceError('invalid_request', {
            message: 'This page has no such action. Open the link again.',
          });
      }
    }

    async function sendErrorPage(
      request: FastifyRequest,
      reply: FastifyReply,
      error: ServiceError,
    ): Promise<FastifyReply> {
      if (!request.headers.accept?.includes('text/html')) return sendError(request, reply, error);
      if (errors[error.code].status >= 500) {
        request.log.error({ code: error.code, err: error.cause }, errors[error.code].log);
      }
      if (error.retryAfterSeconds !== undefined) {
        reply.header('retry-after', error.retryAfterSeconds);
      }
      return sendPage(reply, errors[error.code].status, ErrorPage({ assets, error }));
    }
  });
}

async function sendPage(reply: FastifyReply, status: number, page: VNode): Promise<FastifyReply> {
  const html = `<!doctype html>${await renderToStringAsync(page)}`;
  return reply.code(status).headers(pageHeaders).type('text/html; charset=utf-8').send(html);
}

function linkUnknown(): ServiceError {
  return new ServiceError('not_found', {
    message: 'This booking link is not known. Check that it was copied whole.',
  });
}
