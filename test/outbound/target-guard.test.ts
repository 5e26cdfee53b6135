import t from 'tap';
import { addressRange } from '../../src/outbound/special-ranges.js';
import { checkTargetUrl, type TargetRule } from '../../src/outbound/target-guard.js';

const strict = { allowPrivateTargets: false };
const local = { allowPrivateTargets: true };

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Every range that is not public: its name, then addresses from its first to its last. */
const ranges: [name: string, addresses: string][] = [
  ['unspecified', '0.0.0.0 0.255.255.255 ::'],
  ['private', '10.0.0.0 10.255.255.255 172.16.0.0 172.31.255.255 192.168.0.0'],
  ['private', '192.168.255.255'],
  ['loopback', '127.0.0.0 127.0.0.1 127.255.255.255 ::1'],
  ['linkLocal', '169.254.0.0 169.254.169.254 169.254.255.255 fe80:: febf:ffff::1'],
  ['linkLocal', 'fe80::1%eth0'],
  ['carrierGradeNat', '100.64.0.0 100.100.100.200 100.127.255.255'],
  ['multicast', '224.0.0.0 239.255.255.255 ff00:: ff02::1 ffff::'],
  ['broadcast', '255.255.255.255'],
  ['reserved', '240.0.0.0 255.255.255.254'],
  ['reserved', '192.0.0.0 192.0.0.192 192.0.0.255'], // protocol assignments
  ['reserved', '192.0.2.0 198.51.100.1 203.0.113.255'], // documentation
  ['reserved', '2001:db8:: 2001:db8:ffff::1 3fff:: 3fff:fff::1'], // documentation
  ['reserved', '198.18.0.0 198.19.255.255'], // benchmarking
  ['reserved', '192.88.99.1'], // relays of 6to4
  ['reserved', '2001:1::1 2001:1ff::1'], // protocol assignments
  ['benchmarking', '2001:2:: 2001:2:0:ffff::1'],
  ['amt', '192.52.193.1 2001:3::1'],
  ['as112', '192.31.196.1 192.175.48.1'],
  ['as112v6', '2001:4:112::1 2620:4f:8000::1'],
  ['cloudPlatform', '168.63.129.16'],
  ['uniqueLocal', 'fc00:: fd00:ec2::254 fd20:ce::254 fdff:ffff::1'],
  ['deprecatedSiteLocal', 'fec0:: feff:ffff::1'],
  ['discard', '100:: 100::ffff:ffff:ffff:ffff'],
  ['deprecatedOrchid', '2001:10::1'],
  ['orchid2', '2001:20::1'],
  ['droneRemoteIdProtocolEntityTags', '2001:30::1'],
  ['segmentRouting', '5f00::1'],
  ['unallocated', '::2 ::7f00:1 1::1 1fff::1 4000::1 7fff:: e000::1 fe00::1'],
  ['unallocated', '100:0:0:1::1'], // dummy prefix
  // Ranges with an embedded IPv4 address: none is public, whatever that address.
  ['ipv4Mapped', '::ffff:127.0.0.1 ::ffff:a9fe:a9fe ::ffff:8.8.8.8'],
  ['rfc6145', '::ffff:0:127.0.0.1 ::ffff:0:8.8.8.8'],
  ['rfc6052', '64:ff9b:1::7f00:1 64:ff9b:1:ffff::808:808'],
  ['6to4', '2002:: 2002:7f00:1:: 2002:a9fe:a9fe::1 2002:808:808::1'],
  ['teredo', '2001:: 2001:0:4136:e378:8000:63bf:80ff:fffe'],
  // The range of the well-known NAT64 prefix is that of the embedded address.
  ['loopback', '64:ff9b::7f00:1 64:ff9b::127.0.0.1'],
  ['linkLocal', '64:ff9b::a9fe:a9fe'],
  ['private', '64:ff9b::10.0.0.1 64:ff9b::c0a8:1'],
  ['cloudPlatform', '64:ff9b::168.63.129.16'],
];

/** Those just outside the ranges, and some of well-known services. */
const publicAddresses = `
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
  168.63.129.15 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255
  192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255 2001:200::1 2001:4860:4860::8888
  2606:4700::1 2a00:1450:4001::1 3ffe:ffff::1 64:ff9b::808:808`;

t.test(
  'every special range of IPv4 and IPv6 is recognized from its first address to its last, and is no target',
  async (t) => {
    for (const [name, addresses] of ranges) {
      for (const address of words(addresses)) {
        t.equal(addressRange(address), name, address);
        if (address.includes('%')) continue;
        const host = address.includes(':') ? `[${address}]` : address;
        t.match(checkTargetUrl(`https://${host}/`, strict), { rule: 'address' }, address);
      }
    }
    for (const address of words(publicAddresses))
      t.equal(addressRange(address), 'unicast', address);
    const invalid = 'localhost 127.1 0x7f000001 1.2.3.4.5 ::1:: [::1]';
    for (const text of [...words(invalid), '', '8.8.8.8 ']) {
      t.equal(addressRange(text), 'invalid', text);
    }
  },
);

const allowed: [url: string, hostname?: string][] = [
  ['https://hooks.example.com/a?b=c', 'hooks.example.com'],
  ['HTTPS://HOOKS.EXAMPLE.COM', 'hooks.example.com'],
  ['https://hooks.example.com:443/'],
  ['https://hooks.example.com:8443/'],
  ['https://hooks.example.com./', 'hooks.example.com'],
  ['https://hooks。example．com/', 'hooks.example.com'],
  ['https://bücher.example.com/', 'xn--bcher-kva.example.com'],
  ['https://8.8.8.8/'],
  ['https://[2606:4700::1]:8443/'],
  ['https://[64:ff9b::808:808]/'],
];

/** By the rule that refuses them. */
const refused: Record<TargetRule, string[]> = {
  url: words(`
    /webhooks hooks.example.com https:// https:/// https://:443/ https://[::1
    https://[fe80::1%25eth0]/ https://[fe80::1%eth0]/ https://256.256.256.256/ https://1.2.3.4.5/
    https://hooks.example.com:99999/`).concat('', 'https://hooks example.com/'),
  scheme: words(`
    http://hooks.example.com/ ftp://hooks.example.com/ file:///etc/passwd data:text/plain,x
    wss://hooks.example.com/ javascript:alert(1)`),
  credentials: words(`
    https://user@hooks.example.com/ https://user:password@hooks.example.com/
    https://:password@hooks.example.com/ https://hooks.example.com@127.0.0.1/
    https://8.8.8.8%40@127.0.0.1/`),
  port: words(`
    https://hooks.example.com:80/ https://hooks.example.com:22/ https://hooks.example.com:0/
    https://hooks.example.com:6379/`),
  hostname: words(`
    https://localhost/ https://LOCALHOST./ https://ⓛocalhost/ https://localhost%2e/
    https://a.localhost/ https://a.localhost./ https://printer.local/ https://router.home.arpa/
    https://metadata.google.internal/ https://redis/ https://redis./ https://./
    https://.example.com/ https://a..example.com/ https://example.com../`).concat(
    `https://${'a.'.repeat(130)}com/`,
  ),
  // Beside the addresses of the ranges above.
  address: words(`
    https://127.0.0.1./ https://127.1/ https://127.0.1/ https://2130706433/
    https://0x7f000001/ https://0x7f.1/ https://0X7F.0.0.0X1/ https://017700000001/
    https://0177.0.0.1/ https://127。0。0。1/ https://１２７.０.０.１/ https://①②⑦.0.0.1/
    https://%31%32%37.0.0.1/ https:127.0.0.1 https://0/ https://0x/
    https://169.254.169.254/latest/meta-data/ https://0xa9fea9fe/ https://2852039166/
    https://[0:0:0:0:0:0:0:1]/ https://[0:0:0:0:0:FFFF:7F00:0001]/ https://[::127.0.0.1]/`).concat(
    'https://127.0.0.1\\@hooks.example.com/',
    'https:\\\\127.0.0.1\\',
    'https://127.\n0.0.1/',
    ' https://127.0.0.1/ ',
  ),
};

t.test(
  'a target is refused by the rule that it violates, in every spelling, with one message that repeats nothing of it',
  async (t) => {
    for (const [url, hostname] of allowed) {
      const check = checkTargetUrl(url, strict);
      t.ok(check.allowed, url);
      if (check.allowed && hostname) t.equal(check.url.hostname, hostname, `host of ${url}`);
    }
    for (const [rule, urls] of Object.entries(refused)) {
      const checks = urls.map((url) => checkTargetUrl(url, strict));
      for (const [index, check] of checks.entries()) {
        t.match(check, { rule, message: /^must .{15,}[^.]$/ }, JSON.stringify(urls[index]));
        t.same(check, checks[0], 'one message');
      }
    }
  },
);

t.test('local work may use http, any port and private targets, and nothing else', async (t) => {
  const more = `http://localhost:3001/hook http://127.0.0.1:9/ http://[::1]:8080/ https://localhost/
    http://receiver:8080/ http://10.1.2.3/ http://172.16.0.1/ http://192.168.1.2/ http://100.64.0.1/
    http://[fd12::1]/ http://receiver.local/ https://hooks.example.com:1234/`;
  for (const url of words(more)) t.ok(checkTargetUrl(url, local).allowed, url);
  for (const [rule, urls] of [
    ['scheme', 'ftp://127.0.0.1/'],
    ['credentials', 'http://user:password@127.0.0.1/'],
    ['hostname', 'http://a..b/'],
    ['address', 'http://169.254.169.254/ http://[fe80::1]/ http://224.0.0.1/'],
    ['address', 'http://168.63.129.16/ http://255.255.255.255/ http://[2002:7f00:1::]/'],
  ] as const) {
    for (const url of words(urls))
      t.match(checkTargetUrl(url, local), { allowed: false, rule }, url);
  }
});
