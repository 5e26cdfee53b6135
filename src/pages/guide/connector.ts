/** The connector's address, and how to add it to the usual clients. */
export function connector(api: string): string {
  const mcp = `${api}/mcp`;
  return `## MCP

The same functions as tools, over Streamable HTTP and without credentials: \`get_studio_info\`,
\`list_open_times\`, \`hold_slot\`, \`get_booking_status\`. The address is \`${mcp}\`. Each request is
answered by one JSON message: there are no sessions and no streams. Limits count as for requests; a
refused call is a result with \`isError\` and the error as its text. Optional arguments that are null or
empty count as absent. Hosts that show views (MCP Apps) get one for the open times.

**Claude Code**

\`\`\`sh
claude mcp add --transport http tattoo-studio ${mcp}
\`\`\`

**Claude and ChatGPT**: add a custom connector with the address above, without authentication.

**Cursor** (\`.cursor/mcp.json\`)

\`\`\`json
{ "mcpServers": { "tattoo-studio": { "url": "${mcp}" } } }
\`\`\`

**VS Code** (\`.vscode/mcp.json\`)

\`\`\`json
{ "servers": { "tattoo-studio": { "type": "http", "url": "${mcp}" } } }
\`\`\`

**Clients that start a command**

\`\`\`json
{ "mcpServers": { "tattoo-studio": { "command": "npx", "args": ["-y", "mcp-remote", "${mcp}"] } } }
\`\`\``;
}
