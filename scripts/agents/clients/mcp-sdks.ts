import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Client } from '../agent.js';
import { findConnector } from '../discovery.js';
import { agentOverTools, type ToolResult } from '../tools.js';

const identity = { name: 'benchmark', version: '1.0.0' };

/** The client of `@modelcontextprotocol/sdk`, version 1. */
export const mcpSdk1: Client = async (baseUrl) => {
  const client = new LegacyClient(identity);
  const transport = new LegacyTransport(new URL(await findConnector(baseUrl)));
  await client.connect(transport as Transport);
  return agentOf(client);
};

/** The client of `@modelcontextprotocol/client`, version 2, which finds the newest revision. */
export const mcpSdk2: Client = async (baseUrl) => {
  const client = new ModernClient(identity, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new ModernTransport(new URL(await findConnector(baseUrl))));
  return agentOf(client);
};

/** An agent that lists the tools first, as every host does for its model. */
async function agentOf(client: LegacyClient | ModernClient) {
  await client.listTools();
  return agentOverTools({
    call: async (name, args) => (await client.callTool({ name, arguments: args })) as ToolResult,
    close: () => client.close(),
  });
}
