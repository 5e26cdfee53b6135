import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Scope } from './service-log.js';

export type Proxy = Awaited<ReturnType<typeof startProxy>>;

/**
 * A TCP proxy on a free loopback port, which can be slowed down and cut. `target`: a port of loopback,
 * or the path of a socket.
 */
export async function startProxy(t: Scope, target: number | string) {
  const pairs = new Set<[Socket, Socket]>();
  let delayMs = 0;
  let isSwallowing = false;
  let isRefusing = false;
  let refusedCount = 0;
  let lostStart: string | null = null;

  const cut = (): void => {
    for (const [near, far] of pairs) {
      // A reset of what is ending already keeps Node from exiting.
      if (near.writableEnded) near.destroy();
      else near.resetAndDestroy();
      far.destroy();
    }
    pairs.clear();
  };

  const forward = (from: Socket, to: Socket): void => {
    let before = Promise.resolve();
    from.on('data', (chunk: Buffer) => {
      if (isSwallowing) return;
      const due = performance.now() + delayMs;
      before = before.then(async () => {
        const waitMs = due - performance.now();
        if (waitMs > 0) await delay(waitMs);
        if (!to.destroyed) to.write(chunk);
      });
    });
    from.on('end', () => {
      before = before.then(() => void to.end());
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      if (!isSwallowing) void before.then(() => to.destroy());
    });
  };

  const server = createServer((near) => {
    if (isRefusing) {
      refusedCount += 1;
      near.on('error', () => undefined).resetAndDestroy();
      return;
    }
    const far =
      typeof target === 'string' ? connect(target) : connect({ port: target, host: '127.0.0.1' });
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    // Where nothing passes any more, the server may outlive its client.
    far.once('close', () => pairs.delete(pair));
    near.on('data', (chunk: Buffer) => {
      if (lostStart === null || !chunk.toString('latin1').startsWith(lostStart)) return;
      far.prependOnceListener('data', () => near.resetAndDestroy());
    });
    forward(near, far);
    forward(far, near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    cut();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    connectionCount: () => [...pairs].filter(([near]) => !near.destroyed).length,
    /** How many connections it has refused. */
    refusedCount: () => refusedCount,
    /** From now on, every chunk takes so long, in either direction. */
    slow(milliseconds: number) {
      delayMs = milliseconds;
    },
    /** From now on all data is dropped and no connection closed, as with a cut cable. */
    swallow() {
      isSwallowing = true;
    },
    /**
     * From now on, a request that begins with this text arrives, and its connection is reset before its
     * answer.
     */
    loseAnswersTo(start: string) {
      lostStart = start;
    },
    /** Resets all connections. New ones are accepted. */
    cut,
    /** Resets all connections, and refuses new ones until `restore`. */
    refuse() {
      isRefusing = true;
      cut();
    },
    /** Ends the disturbance for new connections, and for data in transit that was not dropped. */
    restore() {
      isRefusing = false;
      isSwallowing = false;
      lostStart = null;
      delayMs = 0;
    },
  };
}

/** A proxy to the database of the connection string, and the connection string through it. */
export async function startDatabaseProxy(
  t: Scope,
  connectionString: string,
): Promise<{ proxy: Proxy; connectionString: string }> {
  const url = new URL(connectionString);
  const folder = url.searchParams.get('host');
  const proxy = await startProxy(
    t,
    folder === null ? Number(url.port) : `${folder}/.s.PGSQL.${url.port}`,
  );
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  return { proxy, connectionString: url.href };
}
