import t from 'tap';
import { generous, startService } from '../support/service.js';
import { findingOf, studioOn } from '../support/studio.js';
import { ask, subscribe, target } from '../support/webhook-requests.js';

const service = await startService(t, { ...generous, WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true' });
const { keyring, pool } = service.context;
t.beforeEach(() => pool.query('delete from webhook_subscriptions'));

/** Inserts a subscription of another network for each host. */
async function insertSubscriptions(count: number, hostOf: (index: number) => string) {
  await pool.query(
    `insert into webhook_subscriptions
      (url, target_host, events, signing_secret_sealed, manage_token_hash, caller_hash, created_at)
    select 'https://' || host, host, '{hold.created}', '', int8send(n), int8send(n), booking_now()
    from unnest($1::text[]) with ordinality as hosts (host, n)`,
    [Array.from({ length: count }, (_, index) => hostOf(index))],
  );
}

/** What the log says from 80 % of the places on. */
const scarce = /most places for webhook subscriptions are taken/;

let addresses = 0;
/** Subscribes from a network of its own. */
const subscribeAnew = (url = target) => subscribe(service, { url }, `192.0.2.${(addresses += 1)}`);

t.test('subscriptions that a former version counted by /64 still count', async (t) => {
  for (const [address, group] of [
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:7:1::1', '2001:db8:7:1::/64'],
  ] as const) {
    await pool.query('delete from webhook_subscriptions');
    await insertSubscriptions(10, (index) => `h${index}.example.com`);
    await pool.query('update webhook_subscriptions set caller_hash = $1', [
      keyring.fingerprint(group, 'webhook subscriber address'),
    ]);
    t.equal((await subscribe(service, { url: target }, address)).status, 429, address);
  }
});

t.test('a host is the target of at most 200 live subscriptions, whatever the port', async (t) => {
  await insertSubscriptions(195, () => '8.8.8.8');
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => subscribeAnew(`https://8.8.8.8:844${index}/`)),
  );
  const made = answers.filter(({ status }) => status === 201);
  t.equal(made.length, 5, 'races pass no cap');
  const refused = await subscribeAnew('https://0x08080808/');
  t.equal(refused.status, 429);
  t.match(refused.body.error.message, /200 live webhook subscriptions/);
  t.equal((await subscribeAnew('https://8.8.8.9/')).status, 201);
  await ask(service, 'DELETE', { token: made[0]!.body.data.manage_token });
  t.equal((await subscribeAnew()).status, 201);
});

for (const [domain, full, others] of [
  ['example.co.uk', ['example.co.uk', 'a.b.example.co.uk'], ['other.co.uk', 'anexample.co.uk']],
  ['agent.github.io', ['x.agent.github.io'], ['other.github.io', 'github.io']],
  ['xn--bcher-kva.example', ['xn--bcher-kva.example', 'A.XN--BCHER-KVA.example.'], ['example']],
] as const) {
  t.test(`all names under the registrable domain ${domain} count together`, async (t) => {
    await insertSubscriptions(200, (index) => `h${index}.${domain}`);
    for (const host of full) {
      const { status, body } = await subscribeAnew(`https://${host}/`);
      t.equal(status, 429, host);
      t.match(body.error.message, /200 live webhook/);
    }
    for (const host of others) t.equal((await subscribeAnew(`https://${host}/`)).status, 201, host);
  });
}

t.test('once half of 1,000 are live, a network and a domain get one each', async (t) => {
  await insertSubscriptions(498, (index) => `h${index}.example${index}.com`);
  const url = (name: string) => ({ url: `https://${name}.example/` });
  t.equal((await subscribe(service, url('a.first'), '2001:db8:7:1::1')).status, 201);
  t.equal((await subscribe(service, url('b.first'), '2001:db8:7:2::1')).status, 201, 'the 500th');
  for (const [name, address] of [
    ['second', '2001:db8:7:3::1'],
    ['c.first', '2001:db8:8::1'],
  ] as const) {
    const refused = await subscribe(service, url(name), address);
    t.equal(refused.status, 429, name);
    t.match(refused.body.error.message, /has 2 live|of 2 live/);
    t.match(refused.body.error.message, /500 of the 1000 .* may each have one/);
  }
  t.equal((await subscribe(service, url('second'), '2001:db8:8::1')).status, 201);
  t.equal((await subscribe(service, url('third'), '2001:db8:8::1')).status, 429, 'it has one');
});

t.test('from 80 % of the places on, the operator is warned once a day', async (t) => {
  service.expectLog(scarce);
  const finding = () => findingOf(studioOn(service.context), 'webhooks');
  const warnings = () => service.logLines.filter((line) => scarce.test(line)).length;
  await insertSubscriptions(798, (index) => `h${index}.example${index}.com`);
  await subscribeAnew('https://first.example/');
  t.equal(warnings(), 0);
  t.match(await finding(), { status: 'ok', message: /^799 of 1000 .* 799 by ones that never/ });
  for (const name of ['second', 'third']) await subscribeAnew(`https://${name}.example/`);
  t.equal(warnings(), 1);
  t.match(await finding(), { status: 'warning', message: /^801 of 1000 places/ });
});

t.test('where all 1,000 are live, the oldest that never succeeded gives way', async (t) => {
  service.expectLog(scarce);
  await insertSubscriptions(998, (index) => `h${index}.example${index}.com`);
  await pool.query('update webhook_subscriptions set has_succeeded = true');
  const { body: oldest } = await subscribeAnew('https://oldest.example/');
  const { body: other } = await subscribeAnew('https://other.example/');
  const read = async (token: string) => (await ask(service, 'GET', { token })).body.data;
  t.equal((await subscribeAnew('https://new.example/')).status, 201);
  t.match(await read(oldest.data.manage_token), {
    status: 'disabled',
    disabled_reason: 'never_succeeded',
  });
  t.match(await read(other.data.manage_token), { status: 'active' });
  await pool.query('update webhook_subscriptions set has_succeeded = true');
  const refused = await subscribeAnew('https://late.example/');
  t.equal(refused.status, 429);
  t.match(refused.body.error.message, /1000 live webhook subscriptions/);
  await pool.query(`
    update webhook_subscriptions
    set disabled_at = booking_now(), disabled_reason = 'gone', caller_hash = null
    where target_host = 'h1.example1.com'`);
  t.equal((await subscribeAnew('https://late.example/')).status, 201, 'disabled ones do not count');
});
