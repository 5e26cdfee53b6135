import { once } from 'node:events';
import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http';

import t from 'tap';
import { createTestDatabase } from '../support/database.js';
import { until } from '../support/embedded.js';
import { freePort, spawnService } from '../support/process.js';
import { later } from '../support/seconds.js';
import { generous, secretKey } from '../support/service.js';

const clients = 4;
const probeEveryMs = 100;
const failuresUntilOut = 2;

/** Which processes a load balancer sends requests to: it probes each, and drops one after two failures. */
function balance(ports: number[]) {
  const inUse = new Set<number>();
  let isEnding = false;
  const probe = async (port: number): Promise<void> => {
    for (let failures = 0; !isEnding; await later(probeEveryMs)) {
      const status = await fetch(`http://127.0.0.1:${port}/readyz`, { keepalive: false }).then(
        async (answer) => (await answer.arrayBuffer()) && answer.status,
        () => null,
      );
      failures = status === 200 ? 0 : failures + 1;
      if (failures === 0) inUse.add(port);
      if (failures >= failuresUntilOut) inUse.delete(port);
    }
  };
  const probing = Promise.all(ports.map(probe));
  let count = 0;
  return {
    isIn: (port: number) => inUse.has(port),
    next: () => [...inUse][(count += 1) % inUse.size]!,
    end: () => ((isEnding = true), probing),
  };
}

void t.test('a rolling deploy under load fails no request, and each process exits 0', async (t) => {
  const { connectionString } = await createTestDatabase(t);
  const ports = [await freePort(), await freePort()];
  const start = async (port: number) => {
    const service = await spawnService(t, {
      ...generous,
      DATABASE_URL: connectionString,
      SECRET_KEY: secretKey,
      ROLE: 'api',
      PORT: String(port),
    });
    // The answer to probes while a process stops.
    service.expectLog(/"code":"service_unavailable"/);
    return service;
  };
  const processes = await Promise.all(ports.map(start));
  const balancer = balance(ports);
  await until(() => ports.every(balancer.isIn));

  /** One request, never repeated, on a connection that is kept. */
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  const send = async (path: string, body?: object): Promise<number> => {
    const method = body === undefined ? 'GET' : 'POST';
    const headers = { 'content-type': 'application/json' };
    const asking = request({ agent, port: balancer.next(), method, path, headers });
    asking.end(body && JSON.stringify(body));
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    await once(answer.resume(), 'end');
    return answer.statusCode ?? 0;
  };

  const statuses = new Map<string, number>();
  let isDeploying = true;
  const load = Array.from({ length: clients }, async (_, client) => {
    for (let round = 0; isDeploying; round += 1) {
      const isHold = round % 4 === 0;
      const path = `/api/public/${round % 4 === 1 ? 'studio' : month()}`;
      const status = await (isHold
        ? send('/api/public/holds', someHold(client, round))
        : send(path));
      const what = `${isHold ? 'hold' : 'read'} ${status}`;
      statuses.set(what, (statuses.get(what) ?? 0) + 1);
    }
  });
  const viewer = view(() => balancer.next());

  for (const [index, port] of ports.entries()) {
    t.equal(await processes[index]!.end('SIGTERM'), 0, 'exit 0');
    processes[index] = await start(port);
    await until(() => balancer.isIn(port));
  }
  isDeploying = false;
  await Promise.all(load);
  await viewer.leave();
  await balancer.end();

  for (const what of statuses.keys()) {
    t.ok(['read 200', 'hold 201', 'hold 409'].includes(what), what);
  }
  t.ok((statuses.get('hold 201') ?? 0) > 10);
  t.ok(viewer.opened >= 2, 'the viewer was sent on to another process');
  t.equal(viewer.endedWithRetry, viewer.ended, 'each stream ended with a retry field');
});

const inDays = (count: number): string =>
  new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10);
const month = (): string => `availability?from=${inDays(0)}&to=${inDays(30)}`;

/** Of some slot of the next months, which may be taken. */
const someHold = (client: number, round: number) => ({
  date: inDays(3 + ((client * 37 + round) % 150)),
  time_slot: ['9:00 AM', '1:00 PM', '5:00 PM'][round % 3],
  name: 'Ada Park',
  email: 'ada@example.com',
  phone: '5555550142',
});

/** Follows the live stream as a browser does: reconnects when it ends. */
function view(nextPort: () => number) {
  let isLeaving = false;
  let present: ClientRequest;
  const viewer = {
    opened: 0,
    ended: 0,
    endedWithRetry: 0,
    async leave() {
      isLeaving = true;
      present.destroy();
      await following;
    },
  };
  const following = (async () => {
    while (!isLeaving) {
      present = request({ agent: false, port: nextPort(), path: '/api/public/events' }).end();
      const [answer] = (await once(present, 'response')) as [IncomingMessage];
      viewer.opened += 1;
      let text = '';
      for await (const chunk of answer) text += String(chunk);
      viewer.ended += 1;
      if (/retry: ?\d+\n\n$/.test(text)) viewer.endedWithRetry += 1;
    }
  })().catch((error: unknown) => {
    if (!isLeaving) throw error;
  });
  return viewer;
}
