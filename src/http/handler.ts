import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  ContextConfigDefault,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteHandlerMethod,
} from 'fastify';
import type { RouteGenericInterface } from 'fastify/types/route.js';
import type { OperationId, operations } from '../../generated/operations.js';
import type { DomainServices } from '../domain/deps.js';
import type { LiveStream } from './live-stream/live-stream.js';

/** The handler of an operation, typed by its schema in openapi.yaml. */
export type Handler<Id extends OperationId> = RouteHandlerMethod<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  RouteGenericInterface,
  ContextConfigDefault,
  (typeof operations)[Id]['schema'],
  TypeBoxTypeProvider
>;

export type HandlerFactory<Id extends OperationId> = (context: HttpServices) => Handler<Id>;

/** The services of HTTP handlers. */
export interface HttpServices extends DomainServices {
  liveStream: LiveStream;
}
