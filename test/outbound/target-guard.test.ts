import t from 'tap';
import { addressRange } from '../../src/outbound/special-ranges.js';
import { checkTargetUrl, type TargetRule } from '../../src/outbound/target-guard.js';

const strict = { allowPrivateTargets: false };
const local = { allowPrivateTargets: true };

/** Every range that is not public: its name, then addresses from its first to its last. */
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
  // Ranges with an embedded IPv4 address: none is public, whatever that address.
  ['ipv4Mapped', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::ffff:8.8.8.8'],
  ['rfc6145', '::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  ['rfc6052', '64:ff9b:1::7f00:1', '64:ff9b:1:ffff::808:808'],
  ['6to4', '2002::', '2002:7f00:1::', '2002:a9fe:a9fe::1', '2002:808:808::1'],
  ['teredo', '2001::', '2001:0:4136:e378:8000:63bf:80ff:fffe'],
  // The range of the well-known NAT64 prefix is that of the embedded address.
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

t.test(
  'every special range of IPv4 and IPv6 is recognized from its first address to its last',
  async (t) => {
    for (const [name, ...addresses] of ranges) {
      for (const address of addresses) t.equal(addressRange(address), name, address || '(empty)');
    }
  },
);

t.test('the addresses just outside every special range are public', async (t) => {
  for (const address of publicAddresses) t.equal(addressRange(address), 'unicast', address);
});

/** A URL, and the rule that refuses it (null: allowed). */
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

t.test('a target is refused by the rule that it violates, in every spelling', async (t) => {
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

t.test('a refusal has one message per rule, which repeats nothing of the URL', async (t) => {
  const sentences = new Map<string, Set<string>>();
  for (const [url] of spellings) {
    const check = checkTargetUrl(url, strict);
    if (check.allowed) continue;
    sentences.set(check.rule, (sentences.get(check.rule) ?? new Set()).add(check.message));
  }
  t.equal(sentences.size, 6, 'all six rules');
  for (const [rule, [sentence, ...others]] of sentences) {
    t.match(sentence, /^must .{15,}[^.]$/, rule);
    t.same(others, [], `${rule}: one message`);
  }
});

t.test('local work may use http, any port and private targets, and nothing else', async (t) => {
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
