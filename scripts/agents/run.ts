import type { Agent, Client } from './agent.js';
import { browser } from './clients/browser.js';
import { curl } from './clients/curl.js';
import { generated } from './clients/generated.js';
import { inspector } from './clients/inspector.js';
import { mcpSdk1, mcpSdk2 } from './clients/mcp-sdks.js';
import { openapiFetch } from './clients/openapi-fetch.js';
import { play } from './scene.js';
import type { Cell } from './table.js';
import { tasks, type Task } from './tasks.js';
import { startTraffic, type Traffic } from './traffic.js';

export const clients: Record<string, Client> = {
  'openapi-fetch': openapiFetch,
  'openapi-ts': generated,
  curl,
  'mcp-sdk-1': mcpSdk1,
  'mcp-sdk-2': mcpSdk2,
  inspector,
  browser,
};

export interface Options {
  /** Starts the service as a process of its own, with this environment. */
  startService: (
    environment: Record<string, string>,
  ) => Promise<{ url: string; stop(): Promise<unknown> }>;
  /** Names of clients and tasks; none of either means all. */
  named: string[];
  progress: (step: string) => void;
}

/** Lets every client do every task; resolves with the cells, by client and task. */
export async function runAgents({ startService, named, progress }: Options): Promise<Cell[]> {
  const chosen = <Each>(all: Each[], nameOf: (each: Each) => string) => {
    const some = all.filter((each) => named.includes(nameOf(each)));
    return some.length > 0 ? some : all;
  };
  const traffic = await startTraffic();
  const service = await startService({
    PUBLIC_BASE_URL: traffic.url,
    TRUST_PROXY: '127.0.0.1/32',
    WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
  });
  traffic.leadTo(service.url);
  const cells: Cell[] = [];
  try {
    for (const [name, client] of chosen(Object.entries(clients), ([name]) => name)) {
      for (const task of chosen(tasks, ({ name }) => name)) {
        progress(`${name}: ${task.name}`);
        const host = cells.length + 1;
        const outcome = await attempt(task, client, traffic, service.url, host);
        cells.push({ client: name, task: task.name, ...outcome });
      }
    }
    return cells;
  } finally {
    await service.stop();
    await traffic.close();
  }
}

/** One task of one client, at an address of its own. */
async function attempt(
  task: Task,
  client: Client,
  traffic: Traffic,
  serviceUrl: string,
  host: number,
): Promise<Pick<Cell, 'outcome'>> {
  const addresses = { agent: `198.51.100.${host}`, others: `203.0.113.${host}` };
  const count = traffic.countFor(addresses.agent);
  let agent: Agent | undefined;
  try {
    agent = await client(traffic.url);
    if (agent.unable.includes(task.name)) return { outcome: 'impossible' };
    await play(agent, { serviceUrl, publicUrl: traffic.url, addresses }, (scene) =>
      task.run(scene),
    );
    return { outcome: count };
  } catch (error) {
    const [failure = ''] = String(error).split('\n');
    return { outcome: { failure } };
  } finally {
    await agent?.close();
  }
}
