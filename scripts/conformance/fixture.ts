import { fastify } from 'fastify';
import { originOf } from '../../src/access/identify-caller.js';
import { unmetered } from '../../src/access/meter.js';
import { loadConfig } from '../../src/config/config.js';
import { type Connector, identityOf } from '../../src/mcp/connector.js';
import type { ResourceContents, ResourceDefinition } from '../../src/mcp/resources.js';
import { serveConnector } from '../../src/mcp/routes.js';
import type { ToolResult } from '../../src/mcp/tools.js';
import type { ToolDefinition } from '../../src/mcp/tools.js';
import { createKeyring } from '../../src/secrets/keyring.js';
import { errorsPlugin } from '../../src/web/plugins/errors.js';
import { createValidatorCompiler } from '../../src/web/validation.js';

const image = {
  type: 'image',
  mimeType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
};
const audio = {
  type: 'audio',
  mimeType: 'audio/wav',
  data: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=',
};
const text = { type: 'text', text: 'A text.' };
const resource = {
  type: 'resource',
  resource: { uri: 'test://resource', mimeType: 'text/plain', text: 'A resource.' },
};

/** An input schema with the keywords of JSON Schema 2020-12 that the suite checks. */
const richSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

interface FixtureTool {
  result: object;
  inputSchema?: ToolDefinition['inputSchema'];
}

/** The tools that the suites call, by name. */
const tools: Record<string, FixtureTool> = {
  test_simple_text: { result: { content: [text] } },
  test_image_content: { result: { content: [image] } },
  test_audio_content: { result: { content: [audio] } },
  test_embedded_resource: { result: { content: [resource] } },
  test_multiple_content_types: { result: { content: [text, image, resource] } },
  test_error_handling: { result: { content: [text], isError: true } },
  json_schema_2020_12_tool: { result: { content: [text] }, inputSchema: richSchema },
};

const staticText = { uri: 'test://static-text', mimeType: 'text/plain', text: 'A text.' };
const staticBinary = { uri: 'test://static-binary', mimeType: image.mimeType, blob: image.data };

/** The resources that the suites read; `test://template/{id}/data` is a template. */
function readResource(uri: string): object | null {
  const id = /^test:\/\/template\/([^/]+)\/data$/u.exec(uri)?.[1];
  if (id !== undefined) return { uri, mimeType: 'application/json', text: JSON.stringify({ id }) };
  return [staticText, staticBinary].find((each) => each.uri === uri) ?? null;
}

/** The service's connector with the suite's tools and resources instead of the studio's. */
function fixtureConnector(publicBaseUrl: string): Connector {
  return {
    identity: identityOf(publicBaseUrl),
    instructions: 'For the conformance suite only.',
    // Unlike the studio's tools, these have no output schema.
    definitions: Object.entries(tools).map(([name, { inputSchema = { type: 'object' } }]) => ({
      name,
      description: 'A tool of the conformance suite.',
      inputSchema,
    })) as unknown as ToolDefinition[],
    call(name) {
      const tool = tools[name];
      if (tool === undefined) return null;
      return Promise.resolve(tool.result as ToolResult);
    },
    unknownTool: 'Unknown tool.',
    resources: [staticText, staticBinary].map(({ uri, mimeType }) => ({
      uri,
      name: uri,
      mimeType,
    })) as unknown as ResourceDefinition[],
    // Unlike the studio's resources, one is binary.
    readResource: (uri) => readResource(uri) as ResourceContents | null,
  };
}

/** Serves the fixture on a free loopback port. */
export async function startFixture(): Promise<{ url: string; stop(): Promise<void> }> {
  const config = loadConfig({});
  const app = fastify();
  app.setValidatorCompiler(createValidatorCompiler());
  await app.register(errorsPlugin);
  app.decorateRequest('caller');
  app.addHook('onRequest', (request, _reply, done) => {
    request.caller = {
      apiKeyId: null,
      ...originOf(request, { find: () => null }),
      personHashes: null,
      channel: 'rest',
      meter: unmetered,
    };
    done();
  });
  const keyring = createKeyring('of a fixture that keeps no secrets');
  const connector = fixtureConnector(config.publicBaseUrl);
  app.register(async (api) => serveConnector(api, { config, keyring }, connector), {
    prefix: '/api/public',
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url, stop: () => app.close() };
}
