import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { type OperationId, operations } from '../../generated/operations.js';
import { writingBudgets } from '../access/budgets.js';
import type { HandlerFactory, HttpServices } from './handler.js';
import { createAgentKey } from './handlers/api-keys.js';
import { createHold, getBooking } from './handlers/bookings.js';
import { getCapabilities, getOpenapi } from './handlers/documents.js';
import { streamEvents } from './handlers/events.js';
import { getStudio, listAvailability } from './handlers/studio.js';
import { createWebhook, deleteWebhook, getWebhook } from './handlers/webhooks.js';

/** Operations of src/mcp. */
type ConnectorOperation = 'callMcp' | 'getServerCard';
type RestOperation = Exclude<OperationId, ConnectorOperation>;

/** The handlers by operationId; a missing one does not compile. */
const handlers: { [Id in RestOperation]: HandlerFactory<Id> } = {
  getStudio,
  listAvailability,
  createHold,
  getBooking,
  createAgentKey,
  getCapabilities,
  streamEvents,
  createWebhook,
  getWebhook,
  deleteWebhook,
  getOpenapi,
};

/** Operations that charge themselves (`request.caller.meter`); all others cost a read. */
const chargingThemselves: ReadonlySet<OperationId> = new Set(
  Object.keys(writingBudgets) as OperationId[],
);

/** Registers every REST operation in the scope of the public prefix. */
export function registerRoutes(api: FastifyInstance, context: HttpServices): void {
  for (const id of Object.keys(handlers) as RestOperation[]) {
    const { method, url, schema } = operations[id];
    // The types of the table above match each handler to its schema.
    const handler = handlers[id](context) as RouteOptions['handler'];
    const config = { operationId: id, chargesItself: chargingThemselves.has(id) };
    const onRequest = method === 'DELETE' ? [leaveBodyUnread] : [];
    api.route({ method, url: url.slice(api.prefix.length), schema, config, onRequest, handler });
  }
}

/** DELETE has no body, but many clients send a content type with every request. */
function leaveBodyUnread(
  { headers }: FastifyRequest,
  _reply: FastifyReply,
  done: () => void,
): void {
  for (const name of ['content-type', 'content-length', 'transfer-encoding']) delete headers[name];
  done();
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operationId?: OperationId;
  }
}
