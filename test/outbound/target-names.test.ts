import { createSocket } from 'node:dgram';
import { connect, isIP, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import t from 'tap';
import {
  createGuardedConnector,
  createGuardedLookup,
} from '../../src/outbound/guarded-connector.js';
import {
  resolveByNameServers,
  type ResolveAddresses,
} from '../../src/outbound/resolve-addresses.js';
import { checkTargetResolves, TargetRefusedError } from '../../src/outbound/target-guard.js';
import { startReceiver } from '../support/receiver.js';

const strict = { allowPrivateTargets: false };
const local = { allowPrivateTargets: true };

const answers =
  (...each: string[][]): ResolveAddresses =>
  () =>
    Promise.resolve((each.length > 1 ? each.shift() : each[0]) ?? []);

const failing =
  (code: string): ResolveAddresses =>
  () =>
    Promise.reject(Object.assign(new Error(code), { code }));

const target = new URL('https://hooks.example.com/');

const check = (resolve: ResolveAddresses) => checkTargetResolves(target, { ...strict, resolve });

t.test(
  'on subscribing, a host is refused if any of its addresses is not public; one that does not exist gets the same message, one whose DNS fails is not refused',
  async (t) => {
    t.equal(await check(answers(['8.8.8.8', '2606:4700::1'])), null, 'all public');
    const refusal = await check(answers(['127.0.0.1']));
    t.equal(refusal?.rule, 'address');
    for (const resolve of [
      answers(['8.8.8.8', '10.0.0.1']),
      answers(['10.0.0.1', '8.8.8.8']),
      answers(['8.8.8.8', 'fd00:ec2::254']),
      answers(['8.8.8.8', '::ffff:127.0.0.1']),
      answers(['8.8.8.8', 'nonsense']),
      answers([]),
      failing('ENOTFOUND'),
      failing('ENODATA'),
    ]) {
      t.same(await check(resolve), refusal);
    }
    for (const code of ['EAI_AGAIN', 'ESERVFAIL', 'ETIMEOUT', 'ECONNREFUSED']) {
      t.equal(await check(failing(code)), null, code);
    }
    // No DNS query.
    const resolve = () => Promise.reject(new Error('resolved'));
    for (const url of ['https://8.8.8.8/', 'https://[2606:4700::1]/']) {
      t.equal(await checkTargetResolves(new URL(url), { ...strict, resolve }), null, url);
    }
    t.equal(await checkTargetResolves(target, { ...local, resolve }), null);
  },
);

/**
 * A DNS server on loopback (RFC 1035, over UDP): answers A and AAAA with the addresses of its table,
 * fails for 'SERVFAIL' ('A SERVFAIL': for A alone), and says of any other name that it does not exist.
 */
async function startNameServer(
  table: Record<string, string[] | 'SERVFAIL' | 'A SERVFAIL'>,
): Promise<{ address: string; close(): Promise<void> }> {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const labels: string[] = [];
    let end = 12;
    for (let length = query[end] ?? 0; length > 0; length = query[end] ?? 0) {
      labels.push(query.toString('latin1', end + 1, end + 1 + length));
      end += 1 + length;
    }
    end += 1;
    const family = query.readUInt16BE(end) === 28 ? 6 : 4;
    const question = query.subarray(12, end + 4);
    const found = table[labels.join('.').toLowerCase()];
    const hasFailed = found === 'SERVFAIL' || (found === 'A SERVFAIL' && family === 4);
    const records = Array.isArray(found) ? found.filter((each) => isIP(each) === family) : [];
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8180 | (hasFailed ? 2 : found ? 0 : 3), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records.length, 6);
    const answers = records.map((address) => {
      const data = Buffer.from(ipaddr.parse(address).toByteArray());
      const type = family === 6 ? 28 : 1;
      // The name by a pointer to the question; class IN; a time to live of 0.
      return Buffer.concat([
        Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]),
        data,
      ]);
    });
    socket.send(Buffer.concat([head, question, ...answers]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    close: () => new Promise((resolve) => socket.close(resolve)),
  };
}

t.test('both address families are resolved, and every address counts', async (t) => {
  const server = await startNameServer({
    'both.example.com': ['8.8.8.8', '2606:4700::1'],
    'four.example.com': ['8.8.8.8', '1.1.1.1'],
    'mixed.example.com': ['8.8.8.8', 'fd00:ec2::254'],
    'broken.example.com': 'SERVFAIL',
    'half.example.com': 'A SERVFAIL',
  });
  t.teardown(() => server.close());
  const resolve: ResolveAddresses = (hostname) => resolveByNameServers(hostname, [server.address]);
  for (const [name, outcome, resolved] of [
    ['both', null, ['2606:4700::1', '8.8.8.8']],
    ['four', null, ['1.1.1.1', '8.8.8.8']],
    ['mixed', { rule: 'address' }, ['8.8.8.8', 'fd00:ec2::254']],
    ['absent', { rule: 'address' }, 'ENOTFOUND'],
    ['broken', null, 'ESERVFAIL'],
    ['half', null, 'ESERVFAIL'],
  ] as const) {
    const hostname = `${name}.example.com`;
    const found = await resolve(hostname).then(
      (addresses) => addresses.sort(),
      (error: NodeJS.ErrnoException) => error.code,
    );
    t.same(found, resolved, name);
    const url = new URL(`https://${hostname}/`);
    t.match(await checkTargetResolves(url, { ...strict, resolve }), outcome, name);
  }
});

/** Dials a host as undici does, through `net.connect`; resolves with the result. */
function dial(
  port: number,
  resolve: ResolveAddresses,
  policy: { allowPrivateTargets: boolean },
  autoSelectFamily: boolean,
): Promise<string> {
  const lookup = createGuardedLookup(resolve, policy);
  return new Promise((settle) => {
    const socket: Socket = connect({ host: 'rebind.example.com', port, lookup, autoSelectFamily });
    socket.once('connect', () => {
      settle(`connected to ${socket.remoteAddress ?? ''}`);
      socket.destroy();
    });
    socket.once('error', (error) => settle(error.name));
  });
}

t.test(
  'the socket dials the checked addresses, after one DNS query: rebinding reaches nothing private',
  async (t) => {
    const receiver = await startReceiver();
    t.teardown(() => receiver.close());
    for (const autoSelectFamily of [true, false]) {
      const rebinding = answers(['8.8.8.8'], ['127.0.0.1']);
      t.equal(await check(rebinding), null, 'passes the check');
      for (const [resolve, policy] of [
        [rebinding, strict],
        [answers(['127.0.0.1', '8.8.8.8']), strict],
        [answers([]), local],
      ] as const) {
        const outcome = await dial(receiver.port, resolve, policy, autoSelectFamily);
        t.equal(outcome, 'TargetRefusedError');
      }
    }
    t.equal(receiver.connectionCount(), 0);
    for (const autoSelectFamily of [true, false]) {
      const resolve = answers(['127.0.0.1'], ['169.254.169.254']);
      const outcome = await dial(receiver.port, resolve, local, autoSelectFamily);
      t.equal(outcome, 'connected to 127.0.0.1');
    }
  },
);

t.test('the connection checks literal addresses, too', async (t) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.close());
  const attempt = (hostname: string, allowPrivateTargets: boolean): Promise<unknown> => {
    const connector = createGuardedConnector({ allowPrivateTargets, connectSeconds: 5 });
    return new Promise((settle) => {
      const options = { hostname, protocol: 'http:', port: String(receiver.port) };
      connector(options, (error: Error | null, socket: Socket | null) => {
        socket?.destroy();
        settle(error ?? 'connected');
      });
    });
  };
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254']) {
    t.type(await attempt(address, false), TargetRefusedError, address);
  }
  t.equal(receiver.connectionCount(), 0);
  t.equal(await attempt('127.0.0.1', true), 'connected');
  t.type(await attempt('169.254.169.254', true), TargetRefusedError);
});
