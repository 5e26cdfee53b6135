import { Pool } from 'undici';
import { memoryOf } from '../audience.js';
import { requestsPerSecondPinned, sendAll, type Call } from '../load.js';
import { startProgram, startService, type Running } from '../processes.js';
import { processorSeconds } from '../processor-time.js';
import { comparedRow, inverted, measurePairs, type Measurement, type Probe } from '../row.js';
import { month } from '../slots.js';

const rounds = 5;
const callsPerRound = 8_000;
const connections = 8;
/** The least share of a call's CPU time that the REST read takes, by protocol version. */
const shares = { '2025-11-25': 1 / 3, '2026-07-28': 0.25 };
const revisions = Object.keys(shares) as (keyof typeof shares)[];

const clients = 50;
const seconds = 3;
const aims = { speed: 5, memory: 1 / 3 };

/** The CPU time of a tool call, against the REST read of the same slots. */
export const tools: Measurement = async ({ step, line }) => {
  const { rest, tools: calls } = toolProbes(await startService());
  for (const { revision, probe } of calls) {
    step(probe.what);
    await probe.measure();
    const measured = inverted(await measurePairs(rounds, probe.measure, rest.measure));
    const aim = { least: shares[revision] };
    line(comparedRow(probe.what, probe.unit, rest.what, measured, aim));
  }
};

/**
 * Calls of `clients` connections at once, against the stateless example of the SDK: a server and a
 * transport for each request, on Express. Its tool returns our result without computing it.
 */
export const connector: Measurement = async ({ step, line }) => {
  const service = await startService();
  const call = (revision: string) => toolCall(month(), revision);
  const { path, ...sent } = call('2025-11-25');
  const address = service.url + path;
  const { result } = (await (await fetch(address, sent)).json()) as { result: unknown };
  const example = await startProgram('sdk-example.js', [JSON.stringify(result)]);
  const theirs = () =>
    requestsPerSecondPinned(example, `${example.url}/mcp`, seconds, {
      connections: clients,
      call: call('2025-11-25'),
    });
  for (const revision of revisions) {
    const what = `connector: list_open_times of ${clients} clients, protocol ${revision}`;
    step(what);
    const load = { connections: clients, call: call(revision) };
    const ours = () => requestsPerSecondPinned(service, address, seconds, load);
    await ours();
    const measured = await measurePairs(rounds, ours, theirs);
    line(comparedRow(what, 'requests/s', "the SDK's example", measured, { least: aims.speed }));
  }
  const [mine, other] = [await memoryOf(service), await memoryOf(example)];
  line({
    what: 'connector: memory under these calls',
    ours: `${mine} MB`,
    baseline: `${other} MB, the SDK's example`,
    ratio: mine / other,
    aim: `≤ ${aims.memory.toFixed(2)}`,
    reached: mine / other <= aims.memory,
  });
};

/** The CPU time of list_open_times as a tool, by protocol version, and of the same REST read. */
export function toolProbes(service: Running) {
  const pool = new Pool(service.url, { connections });
  const range = month();
  const probe = (what: string, call: Call): Probe => ({
    what,
    unit: 'µs',
    async measure() {
      const before = processorSeconds(service.child.pid!);
      await sendAll(pool, Array<Call>(callsPerRound).fill(call), connections);
      return ((processorSeconds(service.child.pid!) - before) / callsPerRound) * 1e6;
    },
  });
  return {
    rest: probe('GET /availability', {
      method: 'GET',
      path: `/api/public/availability?from=${range.from}&to=${range.to}`,
    }),
    tools: revisions.map((revision) => ({
      revision,
      probe: probe(
        `tools/call list_open_times, protocol ${revision}, processor time`,
        toolCall(range, revision),
      ),
    })),
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
