import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { createSigningSecret } from '../../src/secrets/tokens.js';
import { signDelivery } from '../../src/webhooks/sign.js';
import { projectRoot } from '../support/project.js';

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
  for (const secret of secrets) t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
});

t.test('fractions of a second are cut off in the header and in the signature', async (t) => {
  const common = { secret: createSigningSecret(), messageId: 'id-1', body: '{}' };
  t.same(
    signDelivery({ ...common, timestampSeconds: 1795219200.999 }),
    signDelivery({ ...common, timestampSeconds: 1795219200 }),
  );
});

t.test(
  'the verification in the README accepts what the service signs, and nothing altered',
  async (t) => {
    const readme = await readFile(join(projectRoot, 'src/client/README.md'), 'utf8');
    const fact = (name: string): string => {
      const [, value] = new RegExp(`^${name} {2,}(.+)$`, 'mu').exec(readme) ?? [];
      if (value === undefined) throw new Error(`the README has no ${name}`);
      return value;
    };
    const [secret, body] = [fact('signing_secret'), fact('body')];
    const [messageId, sentAt] = [fact('webhook-id'), Number(fact('webhook-timestamp'))];
    const signed = signDelivery({ secret, messageId, timestampSeconds: sentAt, body });
    const headers: Record<string, string> = { ...signed };
    t.equal(fact('webhook-signature'), headers['webhook-signature'], 'of its test vector');
    t.ok(Buffer.byteLength(body) > body.length, 'which holds more than ASCII');

    const programs = Array.from(readme.matchAll(/^```js\n([^]*?)^```$/gmu), ([, code]) => code!);
    const path = join(t.testdir(), 'verify.mjs');
    await writeFile(
      path,
      programs.find((code) => code.includes('isGenuine'))!,
    );
    const { isGenuine } = (await import(pathToFileURL(path).href)) as {
      isGenuine(secret: string, headers: object, body: Buffer, nowSeconds?: number): boolean;
    };
    const bytes = Buffer.from(body);
    t.equal(isGenuine(secret, headers, bytes, sentAt), true);
    t.equal(isGenuine(secret, headers, bytes, sentAt + 300), true);
    t.equal(isGenuine(secret, headers, bytes, sentAt + 301), false, 'too old');
    t.equal(isGenuine(secret, headers, bytes, sentAt - 301), false, 'from the future');
    t.equal(isGenuine(secret, headers, Buffer.from(`${body} `), sentAt), false);
    t.equal(isGenuine(createSigningSecret(), headers, bytes, sentAt), false);
    for (const name of Object.keys(headers)) {
      const { [name]: _, ...rest } = headers;
      t.equal(isGenuine(secret, rest, bytes, sentAt), false, `without ${name}`);
    }
    const rotated = `v1,${Buffer.alloc(32).toString('base64')} ${headers['webhook-signature']}`;
    t.equal(isGenuine(secret, { ...headers, 'webhook-signature': rotated }, bytes, sentAt), true);
    const now = Date.now() / 1000;
    const fresh = signDelivery({ secret, messageId, timestampSeconds: now, body });
    t.equal(isGenuine(secret, fresh, bytes), true, 'by the clock of the process');
  },
);
