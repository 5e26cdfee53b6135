import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { resolveTool } from '../../../test/support/tools.js';
import type { Client } from '../agent.js';
import { findConnector } from '../discovery.js';
import { agentOverTools, type ToolResult } from '../tools.js';

/** The command line of the MCP inspector: a process for each call, which connects anew. */
export const inspector: Client = async (baseUrl) => {
  const connector = await findConnector(baseUrl);
  const program = resolveTool('@modelcontextprotocol/inspector-cli');
  return agentOverTools({
    async call(name, args) {
      const options = ['--transport', 'http', '--method', 'tools/call', '--tool-name', name];
      // It reads each value as JSON, and digits that are not quoted as a number.
      const values = Object.entries(args).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [program, '--cli', connector, ...options, '--tool-arg', ...values],
        // It looks for its package.json where it is started.
        { cwd: dirname(program) },
      );
      return JSON.parse(stdout) as ToolResult;
    },
    close: () => Promise.resolve(),
  });
};
