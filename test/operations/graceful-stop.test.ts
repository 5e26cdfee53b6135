import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import t from 'tap';
import { openSlots, placeHold } from '../../scripts/bench/slots.js';
import { createTestDatabase } from '../support/database.js';
import { openLiveStream } from '../support/live-stream.js';
import { freePort, spawnService } from '../support/process.js';
import { startDatabaseProxy } from '../support/proxy.js';
import { startReceiver } from '../support/receiver.js';
import { lostDatabase, lostRedis, queueFailed } from '../support/service-log.js';
import { generous } from '../support/service.js';

void t.test(
  'SIGTERM with streams, waits, requests and jobs under way: each ends well, and exit 0 within ten seconds',
  async (t) => {
    const { connectionString } = await createTestDatabase(t);
    const receiver = await startReceiver({ kind: 'hang' });
    t.teardown(() => receiver.close());
    const service = await spawnService(t, {
      ...generous,
      DATABASE_URL: connectionString,
      SECRET_KEY: 'a secret that only the tests know, of enough length',
      DATA_DIR: t.testdir(),
      WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
    });
    const post = (path: string, body: string) => {
      const posting = request(`${service.url}/api/public/${path}`, {
        method: 'POST',
        agent: false,
        headers: { 'content-type': 'application/json', 'content-length': body.length },
      });
      return { posting, answered: once(posting, 'response') as Promise<[IncomingMessage]> };
    };

    const subscribing = JSON.stringify({ url: receiver.origin });
    const { posting: subscription, answered: subscribed } = post('webhooks', subscribing);
    subscription.end(subscribing);
    t.equal((await subscribed)[0].statusCode, 201);
    const [slot] = await openSlots(service.url, 1);
    const { id } = await placeHold(service.url, slot!);
    await receiver.request(1);
    const streams = await Promise.all([1, 2, 3].map(() => openLiveStream(t, service.url)));
    await Promise.all(streams.map((stream) => stream.next(({ event }) => event === 'pulse')));
    const waiting = fetch(`${service.url}/api/public/bookings/${id}`, {
      headers: { prefer: 'wait=60' },
    });
    const body = JSON.stringify({ date: 'none' });
    const { posting, answered } = post('holds', body);
    posting.write(body.slice(0, 4));
    // The wait and the half request are there once a later request was answered.
    await (await fetch(`${service.url}/healthz`)).text();

    const began = performance.now();
    const ended = service.end('SIGTERM');
    while (!service.output().includes('stopping')) await once(service.child.stdout!, 'data');
    posting.end(body.slice(4));
    t.equal((await answered)[0].statusCode, 400, 'the request was finished');
    const answer = await waiting;
    t.equal(answer.status, 200, 'the wait ended with the booking as it is');
    t.match(await answer.json(), { data: { id, status: 'pending' } });
    await Promise.all(streams.map(({ closed }) => closed));
    const retries = streams.map((stream) => stream.retries.at(-1) ?? 0);
    t.ok(
      retries.every((milliseconds) => milliseconds > 0),
      `viewers return at ${retries.join(', ')} ms`,
    );
    t.ok(new Set(retries).size > 1, 'not all at once');
    t.equal(await ended, 0);
    const took = performance.now() - began;
    t.ok(took < 10_000, `${Math.round(took)} ms`);
  },
);

void t.test(
  'SIGTERM while neither PostgreSQL nor Redis responds exits 0 within ten seconds',
  async (t) => {
    const { connectionString: direct } = await createTestDatabase(t);
    const { proxy, connectionString } = await startDatabaseProxy(t, direct);
    const service = await spawnService(t, {
      ...generous,
      DATABASE_URL: connectionString,
      // A port without a listener.
      REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
      SECRET_KEY: 'a secret that only the tests know, of enough length',
      DATA_DIR: t.testdir(),
    });
    service.expectLog(lostDatabase, /"service_unavailable"|again/, lostRedis, queueFailed);
    service.expectLog(/watched calendars have no schedule yet/);
    const [slot] = await openSlots(service.url, 1);
    await placeHold(service.url, slot!);
    proxy.swallow();
    const reading = fetch(`${service.url}/api/public/bookings/${randomUUID()}`).then(
      ({ status }) => status,
      () => 'cut' as const,
    );
    const began = performance.now();
    t.equal(await service.end('SIGTERM'), 0);
    const took = performance.now() - began;
    t.ok(took < 10_000, `${Math.round(took)} ms`);
    t.match(String(await reading), /^(503|cut)$/);
  },
);
