import type { OutgoingHttpHeaders } from 'node:http';
import { document } from '../../generated/document.js';
import { createApiKey } from '../access/api-keys.js';
import { writingBudgets } from '../access/budgets.js';
import { bearerToken } from '../access/identify-caller.js';
import { availabilityKey, availabilityOf } from '../board/availability.js';
import { createBoardCache } from '../board/board.js';
import { maxWaitSeconds } from '../config/limits.js';
import { placeHold } from '../domain/booking/holds.js';
import { parseIdempotencyKey } from '../domain/booking/new-hold.js';
import { awaitBooking, readBooking } from '../domain/booking/public-bookings.js';
import { readSubscription, subscribe, unsubscribe } from '../domain/webhooks.js';
import { createdApiKeyView } from '../views/api-key.js';
import { bookingView, holdView } from '../views/booking.js';
import { studioView } from '../views/studio.js';
import { createdWebhookView, publicEventTypes, webhookView } from '../views/webhook.js';
import { bookUrlTemplate } from '../web/book-link.js';
import { hangUpOf } from '../web/hang-up.js';
import { adviseOnHold } from '../web/hold-advice.js';
import { toServiceError } from '../web/plugins/errors.js';
import { represent, type Representation, sendRepresentation } from '../web/representation.js';
import { buildCapabilities } from './capabilities.js';
import type { HandlerFactory } from './handler.js';

export const getStudio: HandlerFactory<'getStudio'> = ({ board, config }) => {
  const answers = createBoardCache<Representation>(board, 1);
  return async (request, reply) => {
    const answer = await answers('studio', (state) =>
      represent({ data: studioView(state, config) }),
    );
    reply.header('cache-control', 'public, max-age=60');
    return sendRepresentation(request, reply, answer);
  };
};

/** Some 3 MB of answers. */
const maxKept = 512;

export const listAvailability: HandlerFactory<'listAvailability'> = ({ board, config }) => {
  const answers = createBoardCache<Representation>(board, maxKept);
  return async (request, reply) => {
    const { query } = request;
    const answer = await answers(availabilityKey(query), (state) => {
      const template = bookUrlTemplate(config.publicBaseUrl, state, query.artist);
      return represent({ data: { ...availabilityOf(state, query), book_url_template: template } });
    });
    reply.header('cache-control', 'no-cache');
    return sendRepresentation(request, reply, answer);
  };
};

export const getBooking: HandlerFactory<'getBooking'> = (context) => async (request, reply) => {
  const { id } = request.params;
  const seconds = preferredWaitSeconds(request.headers.prefer);
  reply.header('cache-control', 'no-store');
  if (seconds === null) {
    return { data: bookingView(await readBooking(context, id), context.clock.now()) };
  }

  const { booking, waited } = await awaitBooking(
    context,
    request.caller,
    id,
    seconds,
    hangUpOf(reply),
  );
  if (waited) reply.header('preference-applied', `wait=${seconds}`);
  return { data: bookingView(booking, context.clock.now()) };
};

/**
 * The first `wait` of a Prefer header (RFC 7240, 4.3), in seconds, at most `maxWaitSeconds`. Null
 * where it is missing or malformed.
 * @internal
 */
export function preferredWaitSeconds(header: string | undefined): number | null {
  if (header === undefined) return null;
  // Commas and semicolons in a quoted value are not separators.
  const unquoted = header.replaceAll(/"((?:[^"\\]|\\.)*)"/g, (_quoted, value: string) =>
    value.replaceAll(/[,;]/g, ' '),
  );
  for (const preference of unquoted.split(',')) {
    const [name = '', value = ''] = (preference.split(';')[0] ?? '').split('=');
    if (name.trim().toLowerCase() !== 'wait') continue;
    return /^\d+$/.test(value.trim()) ? Math.min(Number(value), maxWaitSeconds) : null;
  }
  return null;
}

export const createHold: HandlerFactory<'createHold'> = (context) => async (request, reply) => {
  const { body, caller, validationError } = request;
  const key = parseIdempotencyKey(request.headers['idempotency-key']);
  const placed =
    validationError === undefined
      ? placeHold(context, caller, body, key)
      : Promise.reject(validationError);
  const hold = await placed.catch(async (error: Error) => {
    throw await adviseOnHold(context, toServiceError(error), body);
  });
  if (hold.replayed) reply.header('idempotency-replayed', 'true');
  return reply
    .code(201)
    .header('location', `/api/public/bookings/${hold.booking.id}`)
    .header('cache-control', 'no-store')
    .send({ data: holdView(hold, body.email, context.config.publicBaseUrl) });
};

export const createAgentKey: HandlerFactory<'createAgentKey'> =
  (context) => async (request, reply) => {
    await request.caller.meter.chargeTo(writingBudgets.createAgentKey);
    const created = await createApiKey(context, request.caller, request.body);
    const data = createdApiKeyView(created, context.config);
    return reply.code(201).header('cache-control', 'no-store').send({ data });
  };

export const createWebhook: HandlerFactory<'createWebhook'> =
  (context) => async (request, reply) => {
    const { url, events = [...publicEventTypes] } = request.body;
    const { subscription, ...secrets } = await subscribe(context, request.caller, { url, events });
    const data = createdWebhookView(subscription, secrets);
    return reply.code(201).header('cache-control', 'no-store').send({ data });
  };

export const getWebhook: HandlerFactory<'getWebhook'> = (context) => async (request, reply) => {
  const { subscription, recentDeliveries } = await readSubscription(context, bearerToken(request));
  reply.header('cache-control', 'no-store');
  return { data: webhookView(subscription, recentDeliveries) };
};

export const deleteWebhook: HandlerFactory<'deleteWebhook'> =
  (context) => async (request, reply) => {
    const id = await unsubscribe(context, bearerToken(request));
    reply.header('cache-control', 'no-store');
    return { data: { id, deleted: true } };
  };

export const getCapabilities: HandlerFactory<'getCapabilities'> = ({ board, config }) => {
  const answers = new Map<string, Representation>();
  let proof = config.confirmation;
  let link = bookUrlTemplate(config.publicBaseUrl, { artists: [] });
  return async (request, reply) => {
    // While the database is lost, the last ones are returned.
    if (board.isFresh()) {
      const state = await board.read();
      proof = state.mode.confirmation;
      link = bookUrlTemplate(config.publicBaseUrl, state);
    }
    const key = `${proof} ${link}`;
    const answer = answers.get(key) ?? represent({ data: buildCapabilities(config, proof, link) });
    answers.set(key, answer);
    reply.header('cache-control', 'public, max-age=300');
    return sendRepresentation(request, reply, answer);
  };
};

export const getOpenapi: HandlerFactory<'getOpenapi'> = ({ config }) => {
  const served = represent({
    ...document,
    servers: [{ url: config.publicBaseUrl, description: 'This service.' }],
  });
  return async (request, reply) => {
    reply.header('cache-control', 'public, max-age=300');
    return sendRepresentation(request, reply, served);
  };
};

const streamHeaders = {
  'content-type': 'text/event-stream',
  // A proxy that compresses would hold events back. Caddy 2.6 heeds only that an encoding is named,
  // though RFC 9110 (8.4) would not have this one here; clients take it for none.
  'cache-control': 'no-cache, no-transform',
  'content-encoding': 'identity',
  'x-accel-buffering': 'no',
  // The end of a stream is the end of its connection.
  connection: 'close',
};

export const streamEvents: HandlerFactory<'streamEvents'> =
  ({ liveStream }) =>
  async (request, reply) => {
    const isHead = request.method === 'HEAD';
    const viewer = isHead ? null : await liveStream.admit(request.caller.network);
    reply.hijack();
    // A hijacked reply would drop the headers that hooks have set.
    const headers = { ...reply.getHeaders(), ...streamHeaders };
    reply.raw.writeHead(200, headers as OutgoingHttpHeaders);
    if (viewer === null) reply.raw.end();
    else viewer.serve(reply.raw, request.headers['last-event-id']);
    return reply;
  };
