import { once } from 'node:events';
import { get, type ClientRequest, type IncomingMessage } from 'node:http';
import t from 'tap';
import { startBalancer } from '../support/balancer.js';
import { createTestDatabase } from '../support/database.js';
import { freePort, spawnService } from '../support/process.js';
import { generous } from '../support/service.js';

const clients = 6;

void t.test(
  'a rolling deploy of two processes under load fails no request, and each exits 0 within ten seconds',
  async (t) => {
    const { connectionString } = await createTestDatabase(t);
    const environment = {
      ...generous,
      DATABASE_URL: connectionString,
      SECRET_KEY: 'a secret that only the tests know, of enough length',
      DATA_DIR: t.testdir(),
      ROLE: 'api',
    };
    const ports = [await freePort(), await freePort()];
    const start = async (port: number) => {
      const service = await spawnService(t, { ...environment, PORT: String(port) });
      // Sent to the balancer while a process stops.
      service.expectLog(/"code":"service_unavailable"/);
      return service;
    };
    const processes = await Promise.all(ports.map(start));
    const balancer = await startBalancer(t, ports);
    for (const port of ports) await balancer.until(port, 'in');

    const statuses = new Map<string, number>();
    const count = (what: string) => statuses.set(what, (statuses.get(what) ?? 0) + 1);
    let deploying = true;
    const load = Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        for (let round = 0; deploying; round += 1) {
          const answer = await (round % 4 === 0
            ? hold(balancer.url, client, round)
            : fetch(`${balancer.url}/api/public/${round % 4 === 1 ? 'studio' : month()}`));
          count(`${round % 4 === 0 ? 'hold' : 'read'} ${answer.status}`);
          await answer.arrayBuffer();
        }
      }),
    );
    const viewer = view(balancer.url);

    for (const [index, port] of ports.entries()) {
      const began = performance.now();
      t.equal(await processes[index]!.end('SIGTERM'), 0, 'exit 0');
      t.ok(performance.now() - began < 10_000, `${Math.round(performance.now() - began)} ms`);
      processes[index] = await start(port);
      await balancer.until(port, 'in');
    }
    deploying = false;
    await load;
    await viewer.leave();

    t.strictSame(balancer.failures, []);
    const expected = new Set(['read 200', 'hold 201', 'hold 409']);
    for (const [what, times] of statuses) t.ok(expected.has(what), `${what}: ${times}`);
    t.ok((statuses.get('hold 201') ?? 0) > 10);
    t.ok(viewer.opened >= 2, 'the viewer was sent on to another process');
    t.equal(viewer.endedWithRetry, viewer.ended, 'each stream ended with a retry field');
  },
);

void t.test('a stop does not wait where readiness is not probed', async (t) => {
  const { connectionString } = await createTestDatabase(t);
  const service = await spawnService(t, {
    DATABASE_URL: connectionString,
    SECRET_KEY: 'a secret that only the tests know, of enough length',
    DATA_DIR: t.testdir(),
  });
  const began = performance.now();
  t.equal(await service.end('SIGTERM'), 0);
  // A prober gets four seconds' notice.
  t.ok(performance.now() - began < 4_000);
});

function month(): string {
  const day = (ahead: number) =>
    new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
  return `availability?from=${day(0)}&to=${day(30)}`;
}

/** Holds some slot of the next months; that it may be taken is part of the game. */
function hold(url: string, client: number, round: number): Promise<Response> {
  const ahead = 3 + ((client * 37 + round) % 150);
  return fetch(`${url}/api/public/holds`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      date: new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10),
      time_slot: (['9:00 AM', '1:00 PM', '5:00 PM'] as const)[round % 3],
      name: 'Ada Park',
      email: 'ada@example.com',
      phone: '5555550142',
    }),
  });
}

interface Viewer {
  opened: number;
  /** How many streams the service has ended, and how many of them with a `retry`. */
  ended: number;
  endedWithRetry: number;
  leave(): Promise<void>;
}

/** Follows the live stream as a browser does: reconnects when it ends. */
function view(url: string): Viewer {
  let leaves = false;
  let present: ClientRequest;
  const viewer: Viewer = {
    opened: 0,
    ended: 0,
    endedWithRetry: 0,
    async leave() {
      leaves = true;
      present.destroy();
      await following;
    },
  };
  const follow = async (): Promise<void> => {
    present = get(`${url}/api/public/events`, { agent: false });
    const [answer] = (await once(present, 'response')) as [IncomingMessage];
    viewer.opened += 1;
    let text = '';
    for await (const chunk of answer) text += String(chunk);
    viewer.ended += 1;
    if (/retry: ?\d+\n\n$/.test(text)) viewer.endedWithRetry += 1;
  };
  const following = (async () => {
    while (!leaves) await follow();
  })().catch((error: unknown) => {
    if (!leaves) throw error;
  });
  return viewer;
}
