import { buildCapabilities } from '../capabilities.js';
import { represent, sendRepresentation } from '../representation.js';
import type { HandlerFactory } from '../handler.js';
import { document } from '../../../generated/document.js';

export const getCapabilities: HandlerFactory<'getCapabilities'> = ({ config }) => {
  const capabilities = represent({ data: buildCapabilities(config) });
  return async (request, reply) => {
    reply.header('cache-control', 'public, max-age=300');
    return sendRepresentation(request, reply, capabilities);
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
