import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import t from 'tap';
import { createSigningSecret } from '../../src/platform/signing-secret.js';
import { signDelivery } from '../../src/webhooks/sign.js';

t.test('the test vector of Standard Webhooks is reproduced', async (t) => {
  t.same(
    signDelivery({
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      messageId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestampSeconds: 1614265330,
      body: '{"test": 2432232314}',
    }),
    {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
  );
});

t.test('a new secret is whsec_ and the base64 of 32 random bytes', async (t) => {
  const secrets = Array.from({ length: 100 }, createSigningSecret);
  t.equal(new Set(secrets).size, 100);
  for (const secret of secrets) {
    t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    t.equal(Buffer.from(secret.slice(6), 'base64').length, 32);
  }
});

t.test('the signature is HMAC-SHA256 over the UTF-8 bytes, also of non-ASCII text', async (t) => {
  const secret = createSigningSecret();
  const body = JSON.stringify({
    type: 'hold.created',
    data: { label: 'Größe 12 ✂️ 刺青 — 9:00 AM' },
  });
  const headers = signDelivery({ secret, messageId: 'id-1', timestampSeconds: 1795219200, body });
  const expected = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(Buffer.concat([Buffer.from('id-1.1795219200.'), Buffer.from(body, 'utf8')]))
    .digest('base64');
  t.equal(headers['webhook-signature'], `v1,${expected}`);
});

t.test('fractions of a second are cut off in the header and in the signature', async (t) => {
  const common = { secret: createSigningSecret(), messageId: 'id-1', body: '{}' };
  t.same(
    signDelivery({ ...common, timestampSeconds: 1795219200.999 }),
    signDelivery({ ...common, timestampSeconds: 1795219200 }),
  );
});

t.test('a retry with its id verifies; a changed byte, timestamp or secret does not', async (t) => {
  const secret = createSigningSecret();
  const body = '{"type":"hold.created","data":{"label":"Zoë"}}';
  // The library's verification reads the process's clock.
  const nowSeconds = Math.floor(Date.now() / 1000);
  const [first, retry] = [nowSeconds - 60, nowSeconds].map((timestampSeconds) =>
    signDelivery({ secret, messageId: 'id-1', timestampSeconds, body }),
  );
  t.ok(first && retry);
  if (!first || !retry) return;
  t.equal(retry['webhook-id'], first['webhook-id']);
  t.not(retry['webhook-timestamp'], first['webhook-timestamp']);
  t.not(retry['webhook-signature'], first['webhook-signature']);
  const webhook = new Webhook(secret);
  t.same(webhook.verify(Buffer.from(body), { ...retry }), JSON.parse(body));
  t.throws(() => webhook.verify(Buffer.from(body.replace('ë', 'e')), { ...retry }));
  t.throws(() => webhook.verify(body, { ...retry, 'webhook-timestamp': String(nowSeconds - 1) }));
  t.throws(() => new Webhook(createSigningSecret()).verify(body, { ...retry }));
});
