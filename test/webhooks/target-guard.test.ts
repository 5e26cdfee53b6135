import { connect, type Socket } from 'node:net';
import t from 'tap';
import {
  askNameServers,
  checkTargetResolves,
  checkTargetUrl,
  createGuardedConnector,
  createGuardedLookup,
  TargetRefusedError,
  type ResolveAddresses,
  type TargetRule,
} from '../../src/webhooks/target-guard.js';
import { addressRange } from '../../src/webhooks/special-ranges.js';
import { startNameServer } from '../support/name-server.js';
import { startReceiver } from '../support/receiver.js';

const strict = { allowPrivateTargets: false };
const local = { allowPrivateTargets: true };

/** Every range that is not the public internet: its name, then its first and last address. */
const ranges: [name: string, ...addresses: string[]][] = [
  ['unspecified', '0.0.0.0', '0.255.255.255', '::'],
  ['private', '10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0'],
  ['private', '192.168.255.255'],
  ['loopback', '127.0.0.0', '127.0.0.1', '127.255.255.255', '::1'],
  ['linkLocal', '169.254.0.0', '169.254.169.254', '169.254.255.255', 'fe80::', 'febf:ffff::1'],
  ['linkLocal', 'fe80::1%eth0'],
  ['carrierGradeNat', '100.64.0.0', '100.100.100.200', '100.127.255.255'],
  ['multicast', '224.0.0.0', '239.255.255.255', 'ff00::', 'ff02::1', 'ffff::'],
  ['broadcast', '255.255.255.255'],
  ['reserved', '240.0.0.0', '255.255.255.254'],
  ['reserved', '192.0.0.0', '192.0.0.192', '192.0.0.255'], // protocol assignments
  ['reserved', '192.0.2.0', '198.51.100.1', '203.0.113.255'], // documentation
  ['reserved', '2001:db8::', '2001:db8:ffff::1', '3fff::', '3fff:fff::1'], // documentation
  ['reserved', '198.18.0.0', '198.19.255.255'], // benchmarking
  ['reserved', '192.88.99.1'], // relays of 6to4
  ['reserved', '2001:1::1', '2001:1ff::1'], // protocol assignments
  ['benchmarking', '2001:2::', '2001:2:0:ffff::1'],
  ['amt', '192.52.193.1', '2001:3::1'],
  ['as112', '192.31.196.1', '192.175.48.1'],
  ['as112v6', '2001:4:112::1', '2620:4f:8000::1'],
  ['cloudPlatform', '168.63.129.16'],
  ['uniqueLocal', 'fc00::', 'fd00:ec2::254', 'fd20:ce::254', 'fdff:ffff::1'],
  ['deprecatedSiteLocal', 'fec0::', 'feff:ffff::1'],
  ['discard', '100::', '100::ffff:ffff:ffff:ffff'],
  ['deprecatedOrchid', '2001:10::1'],
  ['orchid2', '2001:20::1'],
  ['droneRemoteIdProtocolEntityTags', '2001:30::1'],
  ['segmentRouting', '5f00::1'],
  ['unallocated', '::2', '::7f00:1', '1::1', '1fff::1', '4000::1', '7fff::', 'e000::1', 'fe00::1'],
  ['unallocated', '100:0:0:1::1'], // dummy prefix
  // Those that carry an IPv4 address: none is public, whatever the address inside.
  ['ipv4Mapped', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::ffff:8.8.8.8'],
  ['rfc6145', '::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  ['rfc6052', '64:ff9b:1::7f00:1', '64:ff9b:1:ffff::808:808'],
  ['6to4', '2002::', '2002:7f00:1::', '2002:a9fe:a9fe::1', '2002:808:808::1'],
  ['teredo', '2001::', '2001:0:4136:e378:8000:63bf:80ff:fffe'],
  // The well-known NAT64 prefix is judged by the address inside.
  ['loopback', '64:ff9b::7f00:1', '64:ff9b::127.0.0.1'],
  ['linkLocal', '64:ff9b::a9fe:a9fe'],
  ['private', '64:ff9b::10.0.0.1', '64:ff9b::c0a8:1'],
  ['cloudPlatform', '64:ff9b::168.63.129.16'],
  ['invalid', '', 'localhost', '127.1', '0x7f000001', '1.2.3.4.5', '::1::', '[::1]', '8.8.8.8 '],
];

const publicAddresses = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.15',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2606:4700::1',
  '2a00:1450:4001::1',
  '3ffe:ffff::1',
  '64:ff9b::808:808',
];

t.test('every special range of IPv4 and IPv6 has its name, from edge to edge', async (t) => {
  for (const [name, ...addresses] of ranges) {
    for (const address of addresses) t.equal(addressRange(address), name, address || '(empty)');
  }
});

t.test('the addresses just outside every special range are public', async (t) => {
  for (const address of publicAddresses) t.equal(addressRange(address), 'unicast', address);
});

/** A spelling of a target, and the rule that refuses it (null: allowed). */
const spellings: [url: string, rule: TargetRule | null, host?: string][] = [
  ['https://hooks.example.com/a?b=c', null, 'hooks.example.com'],
  ['HTTPS://HOOKS.EXAMPLE.COM', null, 'hooks.example.com'],
  ['https://hooks.example.com:443/', null],
  ['https://hooks.example.com:8443/', null],
  ['https://hooks.example.com./', null, 'hooks.example.com'],
  ['https://hooks。example．com/', null, 'hooks.example.com'],
  ['https://bücher.example.com/', null, 'xn--bcher-kva.example.com'],
  ['https://8.8.8.8/', null],
  ['https://[2606:4700::1]:8443/', null],
  ['https://[64:ff9b::808:808]/', null],

  ['', 'url'],
  ['/webhooks', 'url'],
  ['hooks.example.com', 'url'],
  ['https://', 'url'],
  ['https:///', 'url'],
  ['https://:443/', 'url'],
  ['https://[::1', 'url'],
  ['https://[fe80::1%25eth0]/', 'url'],
  ['https://[fe80::1%eth0]/', 'url'],
  ['https://256.256.256.256/', 'url'],
  ['https://1.2.3.4.5/', 'url'],
  ['https://hooks.example.com:99999/', 'url'],
  ['https://hooks example.com/', 'url'],

  ['http://hooks.example.com/', 'scheme'],
  ['ftp://hooks.example.com/', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['data:text/plain,x', 'scheme'],
  ['wss://hooks.example.com/', 'scheme'],
  ['javascript:alert(1)', 'scheme'],

  ['https://user@hooks.example.com/', 'credentials'],
  ['https://user:password@hooks.example.com/', 'credentials'],
  ['https://:password@hooks.example.com/', 'credentials'],
  ['https://hooks.example.com@127.0.0.1/', 'credentials'],
  ['https://8.8.8.8%40@127.0.0.1/', 'credentials'],

  ['https://hooks.example.com:80/', 'port'],
  ['https://hooks.example.com:22/', 'port'],
  ['https://hooks.example.com:0/', 'port'],
  ['https://hooks.example.com:6379/', 'port'],

  ['https://localhost/', 'hostname'],
  ['https://LOCALHOST./', 'hostname'],
  ['https://ⓛocalhost/', 'hostname'],
  ['https://localhost%2e/', 'hostname'],
  ['https://a.localhost/', 'hostname'],
  ['https://a.localhost./', 'hostname'],
  ['https://printer.local/', 'hostname'],
  ['https://router.home.arpa/', 'hostname'],
  ['https://metadata.google.internal/', 'hostname'],
  ['https://redis/', 'hostname'],
  ['https://redis./', 'hostname'],
  ['https://./', 'hostname'],
  ['https://.example.com/', 'hostname'],
  ['https://a..example.com/', 'hostname'],
  ['https://example.com../', 'hostname'],
  [`https://${'a.'.repeat(130)}com/`, 'hostname'],

  ['https://127.0.0.1/', 'address'],
  ['https://127.0.0.1./', 'address'],
  ['https://127.1/', 'address'],
  ['https://127.0.1/', 'address'],
  ['https://2130706433/', 'address'],
  ['https://0x7f000001/', 'address'],
  ['https://0x7f.1/', 'address'],
  ['https://0X7F.0.0.0X1/', 'address'],
  ['https://017700000001/', 'address'],
  ['https://0177.0.0.1/', 'address'],
  ['https://127。0。0。1/', 'address'],
  ['https://１２７.０.０.１/', 'address'],
  ['https://①②⑦.0.0.1/', 'address'],
  ['https://%31%32%37.0.0.1/', 'address'],
  ['https://127.0.0.1\\@hooks.example.com/', 'address'],
  ['https:127.0.0.1', 'address'],
  ['https:\\\\127.0.0.1\\', 'address'],
  ['https://127.\n0.0.1/', 'address'],
  [' https://127.0.0.1/ ', 'address'],
  ['https://0/', 'address'],
  ['https://0x/', 'address'],
  ['https://169.254.169.254/latest/meta-data/', 'address'],
  ['https://0xa9fea9fe/', 'address'],
  ['https://2852039166/', 'address'],
  ['https://[::]/', 'address'],
  ['https://[::1]/', 'address'],
  ['https://[0:0:0:0:0:0:0:1]/', 'address'],
  ['https://[::ffff:127.0.0.1]/', 'address'],
  ['https://[::ffff:7f00:1]/', 'address'],
  ['https://[0:0:0:0:0:FFFF:7F00:0001]/', 'address'],
  ['https://[::127.0.0.1]/', 'address'],
  ['https://[64:ff9b::127.0.0.1]/', 'address'],
  ['https://[64:ff9b::a9fe:a9fe]/', 'address'],
  ['https://[64:ff9b:1::a9fe:a9fe]/', 'address'],
  ['https://[2002:7f00:1::]/', 'address'],
  ['https://[2001:0:7f00:1::]/', 'address'],
  ['https://[fd00:ec2::254]/', 'address'],
  ['https://[fe80::1]/', 'address'],
];

t.test('a target is refused by the rule that it breaks, in every spelling', async (t) => {
  for (const [url, rule, hostname] of spellings) {
    const check = checkTargetUrl(url, strict);
    t.equal(check.allowed ? null : check.rule, rule, JSON.stringify(url));
    if (check.allowed && hostname) t.equal(check.url.hostname, hostname, `host of ${url}`);
  }
});

t.test('a literal address of any special range is refused as a target', async (t) => {
  for (const [name, ...addresses] of ranges) {
    for (const address of addresses) {
      if (name === 'invalid' || address.includes('%')) continue;
      const host = address.includes(':') ? `[${address}]` : address;
      const check = checkTargetUrl(`https://${host}/`, strict);
      t.equal(check.allowed ? null : check.rule, 'address', address);
    }
  }
});

t.test(
  'a refusal has a sentence of its rule, which repeats nothing of what was sent',
  async (t) => {
    const sentences = new Map<string, Set<string>>();
    for (const [url] of spellings) {
      const check = checkTargetUrl(url, strict);
      if (check.allowed) continue;
      sentences.set(check.rule, (sentences.get(check.rule) ?? new Set()).add(check.message));
    }
    t.equal(sentences.size, 6, 'all six rules');
    for (const [rule, [sentence, ...others]] of sentences) {
      t.match(sentence, /^[\w].{20,}\.$/, rule);
      t.same(others, [], `${rule}: one sentence for all`);
    }
  },
);

t.test('local work may use http, any port and private targets, and nothing further', async (t) => {
  const allowed = [
    'http://localhost:3001/hook',
    'http://127.0.0.1:9/',
    'http://[::1]:8080/',
    'https://localhost/',
    'http://receiver:8080/',
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'http://192.168.1.2/',
    'http://100.64.0.1/',
    'http://[fd12::1]/',
    'http://receiver.local/',
    'https://hooks.example.com:1234/',
  ];
  for (const url of allowed) t.equal(checkTargetUrl(url, local).allowed, true, url);
  const refused: [string, TargetRule][] = [
    ['ftp://127.0.0.1/', 'scheme'],
    ['http://user:password@127.0.0.1/', 'credentials'],
    ['http://a..b/', 'hostname'],
    ['http://169.254.169.254/', 'address'],
    ['http://[fe80::1]/', 'address'],
    ['http://224.0.0.1/', 'address'],
    ['http://255.255.255.255/', 'address'],
    ['http://168.63.129.16/', 'address'],
    ['http://[2002:7f00:1::]/', 'address'],
  ];
  for (const [url, rule] of refused) {
    const check = checkTargetUrl(url, local);
    t.equal(check.allowed ? null : check.rule, rule, url);
  }
});

const answers =
  (...each: string[][]): ResolveAddresses =>
  () =>
    Promise.resolve((each.length > 1 ? each.shift() : each[0]) ?? []);

const failing =
  (code: string): ResolveAddresses =>
  () =>
    Promise.reject(Object.assign(new Error(code), { code }));

const target = new URL('https://hooks.example.com/');

t.test('at creation a name is refused when any of its addresses is not public', async (t) => {
  const rule = async (resolve: ResolveAddresses): Promise<string | null> =>
    (await checkTargetResolves(target, { ...strict, resolve }))?.rule ?? null;

  t.equal(await rule(answers(['8.8.8.8', '2606:4700::1'])), null, 'all public');
  t.equal(await rule(answers(['127.0.0.1'])), 'address', 'one private');
  t.equal(await rule(answers(['8.8.8.8', '10.0.0.1'])), 'address', 'one good, one bad');
  t.equal(await rule(answers(['10.0.0.1', '8.8.8.8'])), 'address', 'one bad, one good');
  t.equal(await rule(answers(['8.8.8.8', 'fd00:ec2::254'])), 'address', 'a good v4, a bad v6');
  t.equal(await rule(answers(['8.8.8.8', '::ffff:127.0.0.1'])), 'address', 'mapped');
  t.equal(await rule(answers(['8.8.8.8', 'nonsense'])), 'address', 'no address at all');
  t.equal(await rule(answers([])), 'address', 'an empty answer');
  t.equal(await rule(failing('ENOTFOUND')), 'address', 'no such name');
  t.equal(await rule(failing('ENODATA')), 'address', 'a name without addresses');
});

t.test('a name that does not exist and a private one get the same sentence', async (t) => {
  t.same(
    await checkTargetResolves(target, { ...strict, resolve: failing('ENOTFOUND') }),
    await checkTargetResolves(target, { ...strict, resolve: answers(['10.0.0.1']) }),
  );
});

t.test('when DNS itself is in trouble a subscription is accepted', async (t) => {
  for (const code of ['EAI_AGAIN', 'ESERVFAIL', 'ETIMEOUT', 'ECONNREFUSED']) {
    t.equal(await checkTargetResolves(target, { ...strict, resolve: failing(code) }), null, code);
  }
});

t.test('the name servers are asked for both families, and every answer counts', async (t) => {
  const server = await startNameServer({
    'both.example.com': ['8.8.8.8', '2606:4700::1'],
    'four.example.com': ['8.8.8.8', '1.1.1.1'],
    'mixed.example.com': ['8.8.8.8', 'fd00:ec2::254'],
    'broken.example.com': 'SERVFAIL',
    'half.example.com': 'A SERVFAIL',
  });
  t.teardown(() => server.close());
  const resolve: ResolveAddresses = (hostname) => askNameServers(hostname, [server.address]);
  const check = (hostname: string): Promise<unknown> =>
    checkTargetResolves(new URL(`https://${hostname}/`), { ...strict, resolve });

  t.same((await resolve('both.example.com')).sort(), ['2606:4700::1', '8.8.8.8']);
  t.same((await resolve('four.example.com')).sort(), ['1.1.1.1', '8.8.8.8']);
  t.equal(await check('both.example.com'), null);
  t.equal(await check('four.example.com'), null);
  t.match(await check('mixed.example.com'), { rule: 'address' });
  t.match(await check('absent.example.com'), { rule: 'address' });
  await t.rejects(resolve('absent.example.com'), { code: 'ENOTFOUND' });
  for (const hostname of ['broken.example.com', 'half.example.com']) {
    t.equal(await check(hostname), null, hostname);
    await t.rejects(resolve(hostname), { code: 'ESERVFAIL' }, hostname);
  }
});

t.test('nothing is resolved at creation for literals, and for local work', async (t) => {
  const resolve = (): Promise<string[]> => {
    t.fail('resolved');
    return Promise.resolve([]);
  };
  for (const url of ['https://8.8.8.8/', 'https://[2606:4700::1]/']) {
    t.equal(await checkTargetResolves(new URL(url), { ...strict, resolve }), null, url);
  }
  t.equal(await checkTargetResolves(target, { ...local, resolve }), null);
});

/** Dials a name as undici does, through `net.connect`, and tells what came of it. */
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

t.test('an answer that changes between check and dial reaches nothing private', async (t) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.close());
  for (const autoSelectFamily of [true, false]) {
    const resolve = answers(['8.8.8.8'], ['127.0.0.1']);
    t.equal(await checkTargetResolves(target, { ...strict, resolve }), null, 'passes the check');
    t.equal(await dial(receiver.port, resolve, strict, autoSelectFamily), 'TargetRefusedError');
    const mixed = answers(['127.0.0.1', '8.8.8.8']);
    t.equal(await dial(receiver.port, mixed, strict, autoSelectFamily), 'TargetRefusedError');
    const none = answers([]);
    t.equal(await dial(receiver.port, none, local, autoSelectFamily), 'TargetRefusedError');
  }
  t.equal(receiver.connectionCount(), 0);
});

t.test('the socket dials the addresses that were judged, and asks once', async (t) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.close());
  for (const autoSelectFamily of [true, false]) {
    const resolve = answers(['127.0.0.1'], ['169.254.169.254']);
    const outcome = await dial(receiver.port, resolve, local, autoSelectFamily);
    t.equal(outcome, 'connected to 127.0.0.1');
  }
});

t.test('inside the connection literal addresses are judged as well', async (t) => {
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
