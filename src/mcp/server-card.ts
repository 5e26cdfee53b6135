import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ServerCard } from '../../generated/schemas.js';
import type { PlatformServices } from '../platform/services.js';
import { supportedProtocolVersions } from '../web/protocol-versions.js';
import { connectorPath, identityOf } from './connector.js';

const cardType = 'application/mcp-server-card+json';
const catalogType = 'application/ai-catalog+json';
const cacheControl = 'public, max-age=3600';

/** The MCP Server Card (SEP-2127): the connector's identity and address. */
function serverCard(publicBaseUrl: string): ServerCard {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    ...identityOf(publicBaseUrl),
    remotes: [
      {
        type: 'streamable-http',
        url: `${publicBaseUrl}${connectorPath}`,
        supportedProtocolVersions: [...supportedProtocolVersions],
      },
    ],
  };
}

/** A `server.json` of the MCP registry's format. */
function registryEntry(publicBaseUrl: string): object {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    ...identityOf(publicBaseUrl),
    remotes: [{ type: 'streamable-http', url: `${publicBaseUrl}${connectorPath}` }],
  };
}

export function createGetServerCard({ config }: Pick<PlatformServices, 'config'>) {
  const body = Buffer.from(JSON.stringify(serverCard(config.publicBaseUrl)));
  return (_request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    reply.header('cache-control', cacheControl).type(cardType).send(body);
}

/**
 * `/.well-known/ai-catalog.json` (AI Catalog 1.0), which names the server card, and
 * `/.well-known/mcp/server.json`, the entry that the operator publishes in an MCP registry.
 */
export function registerCatalogs(
  app: FastifyInstance,
  { config }: Pick<PlatformServices, 'config'>,
): void {
  const { publicBaseUrl } = config;
  const entry = Buffer.from(JSON.stringify(registryEntry(publicBaseUrl), null, 2));
  const catalog = Buffer.from(
    JSON.stringify({
      specVersion: '1.0',
      host: {
        displayName: identityOf(publicBaseUrl).title,
        documentationUrl: identityOf(publicBaseUrl).websiteUrl,
      },
      entries: [
        {
          identifier: `urn:air:${new URL(publicBaseUrl).hostname}:mcp:booking`,
          type: cardType,
          url: `${publicBaseUrl}${connectorPath}/server-card`,
        },
      ],
    }),
  );
  const documents: [path: string, type: string, body: Buffer][] = [
    ['/.well-known/ai-catalog.json', catalogType, catalog],
    ['/.well-known/mcp/server.json', 'application/json', entry],
  ];
  for (const [path, type, body] of documents) {
    app.get(path, (_request, reply) =>
      reply
        .header('cache-control', cacheControl)
        .header('access-control-allow-origin', '*')
        .type(type)
        .send(body),
    );
  }
}
