import { Agent, createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { Test } from 'tap';

/** Distributes requests round-robin over the processes whose `/readyz` succeeds. */
export interface Balancer {
  url: string;
  /** Resolves when the process on that port is given requests, or is given none any more. */
  until(port: number, state: 'in' | 'out'): Promise<void>;
  /** What it could not get an answer to. It tries nothing twice, so that nothing is hidden. */
  failures: string[];
}

const questionEveryMs = 100;
const questionTimeoutMs = 5_000;
const failuresUntilOut = 2;

/**
 * A balancer as is found before any service: it keeps connections to the processes and asks each
 * every tenth of a second whether it is ready; after two answers of no, it sends it nothing more.
 */
export async function startBalancer(t: Test, ports: number[]): Promise<Balancer> {
  const backends = ports.map((port) => ({ port, isIn: false, failures: 0 }));
  const failures: string[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const changes = new Set<() => void>();
  const timers = new Map<object, NodeJS.Timeout>();
  let hasEnded = false;
  let next = 0;

  const server = createServer((incoming, outgoing) => {
    const ready = backends.filter(({ isIn }) => isIn);
    const backend = ready[next % ready.length];
    next += 1;
    const name = `${incoming.method} ${incoming.url}`;
    if (backend === undefined) {
      failures.push(`${name}: no process is ready`);
      outgoing.writeHead(502).end();
      return;
    }
    const { method, url, headers } = incoming;
    const { port } = backend;
    const onward = request({ host: '127.0.0.1', port, agent, method, path: url, headers });
    // The connections of clients are the balancer's own affair.
    onward.removeHeader('connection');
    onward.on('response', (answer) => {
      const { connection: _connection, ...ours } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, ours);
      answer.pipe(outgoing);
    });
    onward.on('error', (error) => fail(name, outgoing, error));
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });

  function fail(name: string, outgoing: ServerResponse, error: Error): void {
    if (outgoing.destroyed) return;
    failures.push(`${name}: ${error.message}`);
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end();
  }

  /** Probes, records the result, and probes again after an interval: never two at once. */
  function question(backend: (typeof backends)[number]): void {
    const note = (isReady: boolean): void => {
      backend.failures = isReady ? 0 : backend.failures + 1;
      const isIn = isReady || (backend.isIn && backend.failures < failuresUntilOut);
      const hasChanged = isIn !== backend.isIn;
      backend.isIn = isIn;
      if (hasChanged) for (const changed of changes) changed();
      if (!hasEnded) timers.set(backend, setTimeout(question, questionEveryMs, backend));
    };
    const asking = request({
      host: '127.0.0.1',
      port: backend.port,
      path: '/readyz',
      agent: false,
    });
    asking.setTimeout(questionTimeoutMs, () => asking.destroy(new Error('no answer')));
    asking.on('response', (answer) => note(answer.resume().statusCode === 200));
    asking.on('error', () => note(false));
    asking.end();
  }

  backends.forEach(question);
  // On a busy machine a client may send its next request while an idle connection is being closed.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    hasEnded = true;
    for (const timer of timers.values()) clearTimeout(timer);
    agent.destroy();
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failures,
    until: (port, state) =>
      new Promise((resolve) => {
        const check = (): void => {
          const backend = backends.find((each) => each.port === port);
          if (backend?.isIn !== (state === 'in')) return;
          changes.delete(check);
          resolve();
        };
        changes.add(check);
        check();
      }),
  };
}
