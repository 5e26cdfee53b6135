import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import t from 'tap';
import { timeSlots } from '../../src/schedule/slots.js';
import { later } from '../support/clock.js';
import { createTestDatabase } from '../support/database.js';
import { until } from '../support/embedded.js';
import { openLiveStream, type Viewing } from '../support/live-stream.js';
import { freePort, spawnService } from '../support/process.js';
import { holdRequest } from '../support/requests.js';
import { lostDatabase } from '../support/service-log.js';
import { generous, secretKey } from '../support/service.js';

const clients = 4;
/** Between the requests of a client: the processes stop while they are used, not while they are short of time. */
const thinkingMs = 25;
const probeEveryMs = 100;
const failuresUntilOut = 2;

/** As a load balancer: probes each process, and drops one after two failures. */
function balance(ports: number[]) {
  const inUse = new Set<number>();
  let isEnding = false;
  const probing = ports.map(async (port) => {
    for (let failures = 0; !isEnding; await later(probeEveryMs)) {
      const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
        async (answer) => (await answer.arrayBuffer()) && answer.ok,
        () => false,
      );
      failures = isReady ? 0 : failures + 1;
      if (isReady) inUse.add(port);
      if (failures >= failuresUntilOut) inUse.delete(port);
    }
  });
  let count = 0;
  return {
    isIn: (port: number) => inUse.has(port),
    next: () => [...inUse][(count += 1) % inUse.size]!,
    async end() {
      isEnding = true;
      await Promise.all(probing);
    },
  };
}

void t.test('a rolling deploy under load fails no request, and each process exits 0', async (t) => {
  const { connectionString } = await createTestDatabase(t);
  const ports = [await freePort(), await freePort()];
  const start = async (port: number) => {
    const own = { DATABASE_URL: connectionString, SECRET_KEY: secretKey, PORT: String(port) };
    const service = await spawnService(t, { ...generous, ...own, ROLE: 'api' });
    // The answer to probes while a process stops; and a start on a busy machine.
    service.expectLog(/"code":"service_unavailable"/, lostDatabase);
    return service;
  };
  const processes = await Promise.all(ports.map(start));
  const balancer = balance(ports);
  await until(() => ports.every(balancer.isIn));

  /** One request, never repeated, on a connection that is kept. */
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  const send = async (path: string, body?: string): Promise<number> => {
    const method = body === undefined ? 'GET' : 'POST';
    const headers = { 'content-type': 'application/json' };
    const asking = request({ agent, port: balancer.next(), method, path, headers }).end(body);
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    await once(answer.resume(), 'end');
    return answer.statusCode ?? 0;
  };
  const inDays = (count: number) =>
    new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10);
  const month = `availability?from=${inDays(0)}&to=${inDays(30)}`;

  const outcomes: string[] = [];
  let isDeploying = true;
  const load = Array.from({ length: clients }, async (_, client) => {
    for (let round = 0; isDeploying; round += 1, await later(thinkingMs)) {
      if (round % 4 > 0) {
        const status = await send(`/api/public/${round % 4 === 1 ? 'studio' : month}`);
        outcomes.push(`read ${status}`);
      } else {
        // Which may be taken.
        const date = inDays(3 + ((client * 37 + round) % 150));
        const hold = holdRequest({ date, timeSlot: timeSlots[round % 3]! });
        outcomes.push(`hold ${await send('/api/public/holds', JSON.stringify(hold))}`);
      }
    }
  });
  /** Follows the live stream as a browser does: reconnects when it ends. */
  const streams: Viewing[] = [];
  const viewer = (async () => {
    while (isDeploying) {
      const stream = await openLiveStream(t, `http://127.0.0.1:${balancer.next()}`);
      streams.push(stream);
      await stream.closed;
    }
  })();

  for (const [index, port] of ports.entries()) {
    t.equal(await processes[index]!.end('SIGTERM'), 0, 'exit 0');
    processes[index] = await start(port);
    await until(() => balancer.isIn(port));
  }
  isDeploying = false;
  streams.at(-1)!.vanish();
  await Promise.all([viewer, ...load]);
  await balancer.end();

  const unexpected = outcomes.filter((each) => !/^(read 200|hold (201|409))$/.test(each));
  t.strictSame(unexpected, []);
  t.ok(outcomes.filter((each) => each === 'hold 201').length > 10);
  t.ok(streams.length >= 2, 'the viewer was sent on to another process');
  t.ok(streams.every(({ status }) => status === 200));
});
