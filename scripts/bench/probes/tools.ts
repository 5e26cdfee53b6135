import { Pool } from 'undici';
import { sendAll, type Call } from '../load.js';
import type { Running } from '../processes.js';
import type { Probe } from '../row.js';

const callsPerRound = 4_000;
const connections = 8;

export interface ToolProbes {
  rest: Probe;
  /** By protocol version. */
  tools: { revision: string; probe: Probe }[];
  close: () => Promise<void>;
}

/**
 * The CPU time of list_open_times as a tool, by protocol version, and of the same REST read.
 * `metricsPort` is the service's METRICS_PORT.
 */
export function toolProbes({ url }: Running, metricsPort: number): ToolProbes {
  const pool = new Pool(url, { connections });
  const range = { from: '2026-12-01', to: '2026-12-31' };
  const probe = (what: string, call: Call): Probe => ({
    what,
    unit: 'µs',
    measure: () => costOf(pool, metricsPort, call),
  });
  return {
    rest: probe('GET /availability', {
      method: 'GET',
      path: `/api/public/availability?from=${range.from}&to=${range.to}`,
    }),
    tools: ['2025-11-25', '2026-07-28'].map((revision) => ({
      revision,
      probe: probe(
        `tools/call list_open_times, protocol ${revision}, processor time`,
        toolCall(range, revision),
      ),
    })),
    close: () => pool.close(),
  };
}

export function toolCall(range: object, revision: string): Call {
  const name = 'list_open_times';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const isModern = revision >= '2026';
  const params = { name, arguments: range, ...(isModern && { _meta }) };
  return {
    method: 'POST',
    path: '/api/public/mcp',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      ...(isModern && { 'mcp-method': 'tools/call', 'mcp-name': name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  };
}

/** CPU time of the service per call, in microseconds. */
async function costOf(pool: Pool, metricsPort: number, call: Call): Promise<number> {
  const before = await processorSeconds(metricsPort);
  await sendAll(pool, Array<Call>(callsPerRound).fill(call), connections);
  return (((await processorSeconds(metricsPort)) - before) / callsPerRound) * 1e6;
}

async function processorSeconds(metricsPort: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(metrics)?.[1]);
}
