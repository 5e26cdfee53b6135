import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { operations, type OperationId } from '../../generated/operations.js';
import type { HttpServices } from './services.js';
import { writingBudgets } from '../access/budgets.js';
import { createAgentKey } from './handlers/api-keys.js';
import { listAvailability } from './handlers/availability.js';
import { getBooking } from './handlers/bookings.js';
import { getCapabilities, getOpenapi } from './handlers/documents.js';
import { streamEvents } from './handlers/events.js';
import { createHold } from './handlers/holds.js';
import { getStudio } from './handlers/studio.js';
import { createWebhook, deleteWebhook, getWebhook } from './handlers/webhooks.js';
import type { HandlerFactory } from './handler.js';

/** What src/mcp answers. */
type ConnectorOperation = 'callMcp' | 'getServerCard';
type RestOperation = Exclude<OperationId, ConnectorOperation>;

/** Every other operation of the contract has its handler here, or this does not compile. */
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

/** These charge themselves (`request.caller.meter`); every other operation costs a read. */
const chargingThemselves: ReadonlySet<OperationId> = new Set(
  Object.keys(writingBudgets) as OperationId[],
);

/** Registers every REST operation on the part of the app that has the prefix of the public interface. */
export function registerRoutes(api: FastifyInstance, context: HttpServices): void {
  for (const id of Object.keys(handlers) as RestOperation[]) {
    const { method, url, schema } = operations[id];
    // Which handler belongs to which schema is what the table above has proven.
    const handler = handlers[id](context) as RouteOptions['handler'];
    const config = { operationId: id, chargesItself: chargingThemselves.has(id) };
    const onRequest = method === 'DELETE' ? [leaveBodyUnread] : [];
    api.route({ method, url: url.slice(api.prefix.length), schema, config, onRequest, handler });
  }
}

/** No DELETE has a body of its own, but many clients name a content type on whatever they send. */
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
