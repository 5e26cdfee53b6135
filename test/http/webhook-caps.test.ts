import t from 'tap';
import { generous, startService } from '../support/service.js';
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

t.test('there are at most 1,000 live subscriptions; disabled ones do not count', async (t) => {
  await insertSubscriptions(999, (index) => `h${index}.example${index}.com`);
  t.equal((await subscribeAnew()).status, 201);
  const refused = await subscribeAnew();
  t.equal(refused.status, 429);
  t.match(refused.body.error.message, /1000 live webhook subscriptions/);
  await pool.query(`
    update webhook_subscriptions
    set disabled_at = booking_now(), disabled_reason = 'gone', caller_hash = null
    where target_host = 'h1.example1.com'`);
  t.equal((await subscribeAnew()).status, 201);
});
