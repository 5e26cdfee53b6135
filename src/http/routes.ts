import type { FastifyInstance, RouteOptions } from 'fastify';
import { operations, type OperationId } from '../../generated/operations.js';
import type { Context } from '../context.js';
import { createHold } from './handlers/create-hold.js';
import { getBooking } from './handlers/get-booking.js';
import { getOpenapi } from './handlers/get-openapi.js';
import { getStudio } from './handlers/get-studio.js';
import { listAvailability } from './handlers/list-availability.js';
import type { HandlerFactory } from './handler.js';

/** Every operation of the contract has its handler here, or this does not compile. */
const handlers: { [Id in OperationId]: HandlerFactory<Id> } = {
  getStudio,
  listAvailability,
  createHold,
  getBooking,
  getOpenapi,
};

export function registerRoutes(app: FastifyInstance, context: Context): void {
  for (const id of Object.keys(operations) as OperationId[]) {
    const { method, url, schema } = operations[id];
    // Which handler belongs to which schema is what the table above has proven.
    const handler = handlers[id](context) as RouteOptions['handler'];
    app.route({ method, url, schema, config: { operationId: id }, handler });
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operationId?: OperationId;
  }
}
