import { document } from '../../../generated/document.js';
import type { HandlerFactory } from '../handler.js';

export const getOpenapi: HandlerFactory<'getOpenapi'> = ({ config }) => {
  const served = JSON.stringify({
    ...document,
    servers: [{ url: config.publicBaseUrl, description: 'This service.' }],
  });
  return async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=300')
      .type('application/json; charset=utf-8')
      .serializer((text: string) => text)
      .send(served as never);
};
