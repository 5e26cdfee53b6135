import t from 'tap';
import { loadConfig } from '../../src/config/config.js';
import { charged } from '../support/agents.js';
import { startService, type TestService } from '../support/service.js';

/** What a read costs that `peer` forwards for `forwardedFor`. */
async function read({ app }: TestService, peer: string, forwardedFor?: string): Promise<string> {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor };
  const answer = await app.inject({ url: '/api/public/studio', remoteAddress: peer, headers });
  return charged(answer);
}

function warnings({ logLines }: TestService): number {
  return logLines.filter((line) => line.includes('TRUST_PROXY')).length;
}

void t.test('a forged X-Forwarded-For of an unlisted peer changes nothing', async (t) => {
  for (const TRUST_PROXY of ['', '10.0.0.0/8, 2001:db8:ffff::/48']) {
    const service = await startService(t, { TRUST_PROXY });
    service.expectLog(/TRUST_PROXY does not list/);
    for (let client = 1; client <= 5; client += 1) {
      const cost = await read(service, '203.0.113.9', `198.51.100.${client}`);
      t.equal(cost, `reads ${60 - client}/60`);
    }
    t.equal(await read(service, '203.0.113.9'), 'reads 54/60');
    t.equal(await read(service, '203.0.113.9', '10.0.0.1'), 'reads 53/60');
    t.equal(warnings(service), 1, 'the log warns once');
  }
});

void t.test('behind a listed proxy every client has a budget of its own', async (t) => {
  const service = await startService(t, { TRUST_PROXY: '10.0.0.0/8, 2001:db8:ffff::/48' });
  t.equal(await read(service, '10.1.2.3', '198.51.100.1'), 'reads 59/60');
  t.equal(await read(service, '10.1.2.3', '198.51.100.2'), 'reads 59/60');
  t.equal(await read(service, '::ffff:10.9.9.9', '198.51.100.1'), 'reads 58/60');
  t.equal(await read(service, '2001:db8:ffff::1', '198.51.100.1'), 'reads 57/60');
  t.equal(await read(service, '198.51.100.1'), 'reads 56/60', 'the same without a proxy');
  t.equal(await read(service, '10.1.2.3', '2001:db8::1'), 'reads 59/60');
  t.equal(await read(service, '10.1.2.3', '2001:db8::2'), 'reads 58/60');
  t.equal(warnings(service), 0);
});

void t.test('of X-Forwarded-For, the entry that the proxy has added counts', async (t) => {
  const service = await startService(t, { TRUST_PROXY: '10.0.0.0/8' });
  const real = '198.51.100.1';
  for (const [forwardedFor, left] of [
    [real, 59],
    [`192.0.2.1, ${real}`, 58],
    [`192.0.2.1, 10.0.0.7, ${real}`, 57],
    [`192.0.2.1, ${real}, 10.0.0.2`, 56],
    // Another client.
    ['192.0.2.1', 59],
    // What is no address counts against the proxy.
    ['unknown', 59],
    ['x'.repeat(500), 58],
    [undefined, 57],
  ] as const) {
    t.equal(
      await read(service, '10.0.0.1', forwardedFor),
      `reads ${left}/60`,
      String(forwardedFor),
    );
  }
});

void t.test('TRUST_PROXY takes CIDR ranges only; any other value stops the start', async (t) => {
  const load = (TRUST_PROXY: string) => loadConfig({ TRUST_PROXY }).trustProxy;
  t.strictSame(load('10.0.0.0/8,::1/128 , 192.0.2.7/32'), [
    '10.0.0.0/8',
    '::1/128',
    '192.0.2.7/32',
  ]);
  t.strictSame(load(''), []);
  const wrong = `true 1 loopback 10.0.0.1 10/8 010.0.0.0/8 10.0.0.0/ 10.0.0.0/33 10.0.0.0/-1
      10.0.0.0/8/8 10.0.0.0/255.0.0.0 ::1/129 0.0.0.0/0 ::/00 10.0.0.0/8,proxy.example`;
  for (const value of wrong.split(/\s+/)) {
    t.throws(() => load(value), { name: 'ConfigError', message: /^TRUST_PROXY must/ }, value);
  }
});
