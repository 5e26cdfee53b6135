import { document } from '../../../generated/document.js';
import { represent, sendRepresentation } from '../../web/representation.js';
import { buildCapabilities } from '../capabilities.js';
import type { HandlerFactory } from '../handler.js';

export const getCapabilities: HandlerFactory<'getCapabilities'> = ({ board, config }) => {
  const capabilities = {
    link: represent({ data: buildCapabilities(config, 'link') }),
    code: represent({ data: buildCapabilities(config, 'code') }),
  };
  let proof = config.confirmation;
  return async (request, reply) => {
    // While the database is lost, the last one is returned.
    if (board.isFresh()) proof = (await board.read()).mode.confirmation;
    reply.header('cache-control', 'public, max-age=300');
    return sendRepresentation(request, reply, capabilities[proof]);
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
