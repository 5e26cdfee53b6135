/**
 * The stateless example of the SDK's documentation: a server and a transport for each request, on
 * Express. Its one tool returns a given result. In JavaScript: a compiler would count as its memory.
 */
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

const [port, result = '{}'] = process.argv.slice(2);

function createServer() {
  const server = new McpServer({ name: 'example', version: '1.0.0' });
  server.registerTool(
    'list_open_times',
    {
      title: 'Open session times',
      description: 'The sessions that can be held now, by date.',
      inputSchema: { from: z.string(), to: z.string() },
    },
    async () => JSON.parse(result),
  );
  return server;
}

const app = createMcpExpressApp();
app.post('/mcp', async (request, response) => {
  const server = createServer();
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  response.on('close', () => {
    void transport.close();
    void server.close();
  });
  await server.connect(transport);
  await transport.handleRequest(request, response, request.body);
});
app.listen(Number(port), '127.0.0.1', () => process.send?.('ready'));
