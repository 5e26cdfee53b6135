import type { FastifyReply } from 'fastify';

/** A signal that is aborted once the client has disconnected. */
export function hangUpOf({ raw }: FastifyReply): AbortSignal {
  const hangUp = new AbortController();
  if (raw.destroyed) hangUp.abort();
  else raw.once('close', () => hangUp.abort());
  return hangUp.signal;
}
