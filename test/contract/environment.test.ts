import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { loadConfig, type ConfirmationProof } from '../../src/config.js';
import { liveBookingsPerCaller } from '../../src/domain/live-bookings.js';
import { projectRoot } from '../support/project.js';

const example = await readFile(join(projectRoot, '.env.example'), 'utf8');
const variables = Object.fromEntries(
  [...example.matchAll(/^# ([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
);

t.test('.env.example names every setting of the config, and no other', async (t) => {
  const members = Object.keys(variables).map((name) =>
    name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  );
  // Two settings make one member, since mail is on with both, and off with neither.
  const { mail, ...others } = loadConfig({});
  t.equal(mail, null);
  t.same(members.sort(), [...Object.keys(others), 'smtpUrl', 'mailFrom'].sort());
});

t.test('.env.example shows the defaults: uncommented as it is, it changes nothing', async (t) => {
  t.same(loadConfig(variables), loadConfig({}));
});

t.test('.env.example is commented out as a whole, and explains every setting', async (t) => {
  t.notMatch(example, /^[^#\n]/m);
  for (const name of Object.keys(variables)) {
    t.match(example, new RegExp(`\\n# [^\\n]+[.]\\n# ${name}=`), name);
  }
});

t.test('a caller may have more live bookings where codes prove who confirms', async (t) => {
  const capOf = (proof: ConfirmationProof, environment: Record<string, string> = {}) =>
    liveBookingsPerCaller(loadConfig(environment), proof);
  t.equal(capOf('link'), 12);
  t.equal(capOf('code'), 40);
  t.equal(capOf('code', { MAX_LIVE_BOOKINGS_PER_CALLER: '12' }), 12);
});

t.test('the default public address is the origin that browsers send', async (t) => {
  const addressOf = (environment: Record<string, string>) => loadConfig(environment).publicBaseUrl;
  t.equal(addressOf({ PORT: '8080' }), 'http://127.0.0.1:8080');
  t.equal(addressOf({ PORT: '80' }), 'http://127.0.0.1');
  t.equal(addressOf({ HOST: 'Studio.Example', PORT: '80' }), 'http://studio.example');
  t.equal(addressOf({ HOST: '::1' }), 'http://[::1]:3000');
  t.equal(addressOf({ HOST: '0.0.0.0' }), 'http://localhost:3000');
});

t.test(
  'webhooks may go to private addresses by default only where the service listens on loopback',
  async (t) => {
    const allowed = (environment: Record<string, string>) =>
      loadConfig(environment).webhookAllowPrivateTargets;
    for (const HOST of ['', '127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1', 'LocalHost']) {
      t.equal(allowed({ HOST }), true, HOST);
      t.equal(allowed({ HOST, PUBLIC_BASE_URL: 'http://localhost:3000' }), true, HOST);
      t.equal(allowed({ HOST, PUBLIC_BASE_URL: 'https://book.example.com' }), false, HOST);
      t.equal(allowed({ HOST, ROLE: 'worker' }), false, 'who can subscribe, the API knows');
      t.equal(allowed({ HOST, WEBHOOK_ALLOW_PRIVATE_TARGETS: 'false' }), false, HOST);
    }
    for (const HOST of ['0.0.0.0', '::', '::ffff:0.0.0.0', '0', '192.168.1.7', 'studio']) {
      t.equal(allowed({ HOST }), false, HOST);
      t.equal(allowed({ HOST, PUBLIC_BASE_URL: 'http://127.0.0.1:3000' }), false, HOST);
      t.equal(allowed({ HOST, WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true' }), true, HOST);
    }
  },
);

t.test('a delay beyond the range of a timestamp is rejected at the start', async (t) => {
  const load = (text: string) => () => loadConfig({ WEBHOOK_RETRY_SCHEDULE_SECONDS: text });
  t.same(load('0, 5,31536000')().webhookRetryScheduleSeconds, [0, 5, 31_536_000]);
  for (const wrong of ['1e300', '31536001', '0x10', '1.5', '-1', '5,,5', '5,', 'soon']) {
    t.throws(load(wrong), { name: 'ConfigError' }, wrong);
  }
});
