import { promisify } from 'node:util';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { type OperationId, operations } from '../../generated/operations.js';
import { writingBudgets } from '../access/budgets.js';
import type { HandlerFactory, HttpServices } from './handler.js';
import {
  createAgentKey,
  createHold,
  createWebhook,
  deleteWebhook,
  getBooking,
  getCapabilities,
  getOpenapi,
  getStudio,
  getWebhook,
  listAvailability,
  streamEvents,
} from './handlers.js';

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

/** Operations that throw `request.validationError` themselves. */
const refusingThemselves: ReadonlySet<OperationId> = new Set(['createHold']);

/** Registers every REST operation in the scope of the public prefix. */
export function registerRoutes(api: FastifyInstance, context: HttpServices): void {
  for (const id of Object.keys(handlers) as RestOperation[]) {
    const { method, url, schema } = operations[id];
    // The types of the table above match each handler to its schema.
    const handler = handlers[id](context) as RouteOptions['handler'];
    const config = { operationId: id, chargesItself: chargingThemselves.has(id) };
    const onRequest = method === 'DELETE' ? [leaveBodyUnread] : [];
    const path = url.slice(api.prefix.length);
    const attachValidation = refusingThemselves.has(id);
    api.route({ method, url: path, schema, config, attachValidation, onRequest, handler });
  }
}

/** Registers the gauges of the HTTP server. */
export function registerHttpMetrics(
  { metrics, liveStream }: Pick<HttpServices, 'metrics' | 'liveStream'>,
  app: FastifyInstance,
): void {
  metrics.addGauge({
    name: 'booking_viewers',
    help: 'Viewers of the live stream of this process.',
    read: () => [{ value: liveStream.viewerCount() }],
  });
  const countConnections = promisify(app.server.getConnections.bind(app.server));
  metrics.addGauge({
    name: 'booking_http_connections',
    help: 'Open connections of clients, streams among them.',
    read: async () => [{ value: await countConnections() }],
  });
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
