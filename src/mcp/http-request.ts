import type { FastifyRequest } from 'fastify';

/** What a tool call needs of the HTTP request that carried it. */
export interface HttpRequest extends Pick<FastifyRequest, 'caller' | 'id' | 'log'> {
  /** Aborted once the client has disconnected. */
  hangUp: AbortSignal;
}
