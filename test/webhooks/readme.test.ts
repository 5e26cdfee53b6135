import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Webhook } from 'standardwebhooks';
import t from 'tap';
import { signDelivery } from '../../src/webhooks/sign.js';
import { projectRoot } from '../support/project.js';
import { startReceiver } from '../support/receiver.js';
import { startWebhookService } from '../support/webhooks.js';

type IsGenuine = (
  signingSecret: string,
  headers: Record<string, string>,
  body: Buffer,
  nowSeconds?: number,
) => boolean;

const readme = await readFile(join(projectRoot, 'src/client/README.md'), 'utf8');

function fact(name: string): string {
  const [, value] = new RegExp(`^${name} {2,}(.+)$`, 'mu').exec(readme) ?? [];
  if (value === undefined) throw new Error(`the README has no ${name}`);
  return value;
}

const secret = fact('signing_secret');
const timestamp = fact('webhook-timestamp');
const body = fact('body');
const headers = {
  'webhook-id': fact('webhook-id'),
  'webhook-timestamp': timestamp,
  'webhook-signature': fact('webhook-signature'),
};
const sentAt = Number(timestamp);

async function isGenuineOfReadme(folder: string): Promise<IsGenuine> {
  const programs = Array.from(readme.matchAll(/^```js\n([^]*?)^```$/gmu), ([, code]) => code!);
  const program = programs.find((code) => code.includes('isGenuine'))!;
  const path = join(folder, 'verify.mjs');
  await writeFile(path, program);
  const module = (await import(pathToFileURL(path).href)) as { isGenuine: IsGenuine };
  return module.isGenuine;
}

t.test('the README’s test vector is what the service signs', async (t) => {
  const signed = signDelivery({
    secret,
    messageId: headers['webhook-id'],
    timestampSeconds: sentAt,
    body,
  });
  t.same(signed, headers);
  t.ok(Buffer.byteLength(body) > body.length, 'it holds more than ASCII');
});

t.test('the README’s verification accepts the test vector, and no altered one', async (t) => {
  const isGenuine = await isGenuineOfReadme(t.testdir());
  const bytes = Buffer.from(body);
  t.equal(isGenuine(secret, headers, bytes, sentAt), true);
  t.equal(isGenuine(secret, headers, bytes, sentAt + 300), true);
  t.equal(isGenuine(secret, headers, bytes, sentAt + 301), false, 'too old');
  t.equal(isGenuine(secret, headers, bytes, sentAt - 301), false, 'from the future');
  t.equal(isGenuine(secret, headers, Buffer.from(`${body} `), sentAt), false);
  t.equal(isGenuine(`whsec_${Buffer.alloc(32).toString('base64')}`, headers, bytes, sentAt), false);
  for (const name of Object.keys(headers)) {
    const { [name as keyof typeof headers]: _, ...rest } = headers;
    t.equal(isGenuine(secret, rest, bytes, sentAt), false, `without ${name}`);
  }
  const rotated = `v1,${Buffer.alloc(32).toString('base64')} ${headers['webhook-signature']}`;
  t.equal(isGenuine(secret, { ...headers, 'webhook-signature': rotated }, bytes, sentAt), true);
});

t.test('the README’s verification accepts a real delivery, as the library does', async (t) => {
  const isGenuine = await isGenuineOfReadme(t.testdir());
  const service = await startWebhookService(t);
  const receiver = await startReceiver();
  t.teardown(() => receiver.close());
  const subscriber = await service.subscribe(receiver);
  await service.startBackground();
  await service.hold();
  const delivery = await receiver.request(1);
  t.equal(isGenuine(subscriber.secret, delivery.headers, delivery.body), true);
  t.ok(new Webhook(subscriber.secret).verify(delivery.body, delivery.headers));
  t.equal(isGenuine(secret, delivery.headers, delivery.body), false);
});
