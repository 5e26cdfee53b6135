import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { operations } from '../../generated/operations.js';
import { isLoopback } from '../config/addresses.js';
import type { Config } from '../config/config.js';
import type { DomainServices } from '../domain/deps.js';
import { ServiceError } from '../errors.js';
import { createConnector } from './connector.js';
import { createCallMcp } from './handler.js';
import { jsonRpcErrors, jsonRpcFailure } from './json-rpc.js';
import { createGetServerCard } from './server-card.js';

/** Registers the operations of the connector under the API prefix. */
export function registerConnector(api: FastifyInstance, context: DomainServices): void {
  const { config, keyring } = context;
  const connector = createConnector(context);
  const { callMcp, getServerCard } = operations;
  api.register(async (scope) => {
    const path = (url: string) => url.slice(scope.prefix.length);
    scope.setErrorHandler(refuseInvalidJson);
    scope.route({
      method: callMcp.method,
      url: path(callMcp.url),
      schema: callMcp.schema,
      config: { operationId: 'callMcp', chargesItself: true },
      // The handler refuses an invalid message with a JSON-RPC error.
      attachValidation: true,
      onRequest: (request, _reply, done) => {
        const isAllowed = isAllowedOrigin(request.headers.origin, config);
        done(isAllowed ? undefined : new ServiceError('forbidden'));
      },
      handler: createCallMcp(connector, config, keyring),
    });
    scope.route({
      method: getServerCard.method,
      url: path(getServerCard.url),
      schema: getServerCard.schema,
      config: { operationId: 'getServerCard' },
      handler: createGetServerCard({ config }),
    });
  });
}

/** Responds to a body that is not JSON with a JSON-RPC error; rethrows any other error. */
async function refuseInvalidJson(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!/^FST_ERR_CTP_(?:EMPTY|INVALID)_JSON_BODY$/u.test(error.code)) throw error;
  await request.caller.meter.chargeTo('reads');
  const sentence = 'The body is not well-formed JSON. Send one JSON-RPC message.';
  return reply
    .code(400)
    .header('cache-control', 'no-store')
    .send(jsonRpcFailure(null, jsonRpcErrors.parseError, sentence));
}

/**
 * Whether requests with this `Origin` may use the connector: none (not a browser), the service's
 * own, loopback hosts, and `MCP_ALLOWED_ORIGINS`. Prevents DNS rebinding against a local service.
 */
function isAllowedOrigin(
  origin: string | undefined,
  { publicBaseUrl, mcpAllowedOrigins }: Pick<Config, 'publicBaseUrl' | 'mcpAllowedOrigins'>,
): boolean {
  if (origin === undefined || origin === publicBaseUrl) return true;
  if (mcpAllowedOrigins.includes(origin)) return true;
  return isLoopback(origin);
}
