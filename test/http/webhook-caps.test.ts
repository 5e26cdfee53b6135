import t from 'tap';
import type { Capabilities } from '../../generated/schemas.js';
import { generous, startService, type TestService } from '../support/service.js';
import { ask, subscribe, target, type Answer } from '../support/webhook-requests.js';

/** The caps on live subscriptions, as the capabilities tell them. */
async function shownCaps({ app }: TestService) {
  const { data } = (await app.inject('/api/public/capabilities')).json<{ data: Capabilities }>();
  const { max_webhooks_per_network, max_webhooks_per_domain, max_webhooks, ...limits } =
    data.limits;
  t.equal(limits.max_webhooks_per_address, max_webhooks_per_network, 'under its former name');
  t.equal(limits.max_webhooks_per_host, max_webhooks_per_domain, 'under its former name');
  return {
    ofNetwork: max_webhooks_per_network,
    ofDomain: max_webhooks_per_domain,
    all: max_webhooks,
  };
}

/** Subscriptions of as many networks to as many hosts. */
async function insertSubscriptions(
  { context }: TestService,
  count: number,
  domain = '.example.com',
): Promise<void> {
  await context.pool.query(
    `insert into webhook_subscriptions
      (url, target_host, events, signing_secret_sealed, manage_token_hash, caller_hash, created_at)
    select 'https://h' || n || $2, 'h' || n || $2, '{hold.created}', '', int8send(n), int8send(n),
      booking_now()
    from generate_series(1, $1::integer) as n`,
    [count, domain],
  );
}

t.test('a network has at most 10 live subscriptions; a deleted one makes room', async (t) => {
  const service = await startService(t);
  const { ofNetwork } = await shownCaps(service);
  t.equal(ofNetwork, 10);
  const url = (index: number) => `https://8.8.8.${index}/`;
  const created = await Promise.all(
    Array.from({ length: ofNetwork + 4 }, (_, index) => subscribe(service, { url: url(index) })),
  );
  const made = created.filter(({ status }) => status === 201);
  t.equal(made.length, ofNetwork, 'races pass no cap');
  for (const { status, body } of created.filter((answer) => answer.status !== 201)) {
    t.equal(status, 429);
    t.equal(body.error.code, 'rate_limited');
    t.match(body.error.message, /10 live webhook subscriptions/);
  }
  t.equal((await subscribe(service, { url: url(20) }, '192.0.2.2')).status, 201, 'of others, none');
  await ask(service, 'DELETE', { token: made[0]?.body.data.manage_token });
  t.equal((await subscribe(service, { url: url(21) })).status, 201);
  t.equal((await subscribe(service, { url: url(22) })).status, 429);
});

t.test('all /64s of an IPv6 /48 are one network, and other /48s are others', async (t) => {
  const service = await startService(t);
  const { ofNetwork } = await shownCaps(service);
  const answers: Answer[] = [];
  for (let subnet = 0; subnet < 12; subnet += 1) {
    const address = `2001:db8:7:${subnet.toString(16)}::1`;
    answers.push(await subscribe(service, { url: `https://8.8.8.${subnet}/` }, address));
  }
  const made = answers.filter(({ status }) => status === 201);
  t.equal(made.length, ofNetwork);
  t.match(answers.at(-1)?.body.error.message, /IPv6 network \(\/48\).* 10 live webhook/);
  t.equal((await subscribe(service, { url: target }, '2001:db8:8::1')).status, 201);
});

t.test('subscriptions that a former version counted by /64 still count', async (t) => {
  const service = await startService(t);
  const { keyring, pool } = service.context;
  const { ofNetwork } = await shownCaps(service);
  for (const [address, group] of [
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:7:1::1', '2001:db8:7:1::/64'],
  ] as const) {
    await pool.query('delete from webhook_subscriptions');
    await insertSubscriptions(service, ofNetwork);
    await pool.query('update webhook_subscriptions set caller_hash = $1', [
      keyring.fingerprint(group, 'webhook subscriber address'),
    ]);
    t.equal((await subscribe(service, { url: target }, address)).status, 429, address);
  }
});

t.test('a host is the target of at most 200 live subscriptions, whatever the port', async (t) => {
  const service = await startService(t);
  const { ofNetwork, ofDomain } = await shownCaps(service);
  t.equal(ofDomain, 200);
  const made: Answer[] = [];
  const subscribeAtOnce = async (count: number, from: number): Promise<void> => {
    const answers = await Promise.all(
      Array.from({ length: count }, (_, index) => {
        const url = `https://8.8.8.8${index % 2 === 0 ? '' : ':8443'}/${index}`;
        return subscribe(service, { url }, `192.0.2.${from + Math.floor(index / ofNetwork)}`);
      }),
    );
    made.push(...answers.filter(({ status }) => status === 201));
  };
  const addresses = ofDomain / ofNetwork;
  for (let from = 1; from < addresses; from += 1) await subscribeAtOnce(ofNetwork, from);
  t.equal(made.length, ofDomain - ofNetwork, 'all that nineteen addresses ask for');
  await subscribeAtOnce(3 * ofNetwork, addresses);
  t.equal(made.length, ofDomain, 'races pass no cap');
  const refused = await subscribe(service, { url: 'https://0x08080808/' }, '192.0.2.99');
  t.equal(refused.status, 429);
  t.match(refused.body.error.message, /200 live webhook subscriptions/);
  t.equal((await subscribe(service, { url: 'https://8.8.8.9/' }, '192.0.2.99')).status, 201);
  await ask(service, 'DELETE', { token: made[0]?.body.data.manage_token });
  t.equal((await subscribe(service, { url: target }, '192.0.2.99')).status, 201);
});

t.test('all names under one registrable domain count together', async (t) => {
  const service = await startService(t, {
    ...generous,
    WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
  });
  const { ofDomain } = await shownCaps(service);
  let addresses = 0;
  const statusOf = async (host: string): Promise<number> => {
    addresses += 1;
    const answer = await subscribe(service, { url: `https://${host}/` }, `192.0.2.${addresses}`);
    if (answer.status === 429) t.match(answer.body.error.message, /200 live webhook/);
    return answer.status;
  };
  for (const [domain, full, others] of [
    ['example.co.uk', ['example.co.uk', 'a.b.example.co.uk'], ['other.co.uk', 'anexample.co.uk']],
    ['agent.github.io', ['x.agent.github.io'], ['other.github.io', 'github.io']],
    ['xn--bcher-kva.example', ['xn--bcher-kva.example', 'A.XN--BCHER-KVA.example.'], ['example']],
  ] as const) {
    await service.context.pool.query('delete from webhook_subscriptions');
    await insertSubscriptions(service, ofDomain, `.${domain}`);
    for (const host of full) t.equal(await statusOf(host), 429, host);
    for (const host of others) t.equal(await statusOf(host), 201, host);
  }
});

t.test('there are at most 1,000 live subscriptions; disabled ones do not count', async (t) => {
  const service = await startService(t);
  const { pool } = service.context;
  const { all } = await shownCaps(service);
  t.equal(all, 1_000);
  await insertSubscriptions(service, all - 1);
  t.equal((await subscribe(service)).status, 201);
  const refused = await subscribe(service);
  t.equal(refused.status, 429);
  t.match(refused.body.error.message, /1000 live webhook subscriptions/);
  await pool.query(`
    update webhook_subscriptions
    set disabled_at = booking_now(), disabled_reason = 'gone', caller_hash = null
    where target_host = 'h1.example.com'`);
  t.equal((await subscribe(service)).status, 201);
});
