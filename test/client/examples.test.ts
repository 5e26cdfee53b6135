import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { createClient, placeHold } from '../../src/client/client.js';
import { createProject, linkPackages, runForPerson, startProgram } from '../support/consumer.js';
import { confirmAsPerson } from '../support/forms.js';
import { freePort } from '../support/process.js';
import { installPackage, projectRoot } from '../support/project.js';
import { holdRequest, personNumber, someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';

const folder = join(projectRoot, 'scripts/examples');
const examples: Record<string, string> = {};
for (const name of await readdir(folder)) {
  examples[name] = await readFile(join(folder, name), 'utf8');
}
const readme = await readFile(join(projectRoot, 'src/client/README.md'), 'utf8');
const [plain = '', typed = '', subscribe = '', receiver = ''] = Array.from(
  readme.matchAll(/^```js\n([^]*?)^```$/gmu),
  ([, code]) => code,
);
const programs = {
  ...examples,
  ...{ 'plain.mjs': plain, 'typed.mjs': typed },
  ...{ 'subscribe.mjs': subscribe, 'receiver.mjs': receiver },
};
const project = await createProject(t, programs);
await installPackage(project);
await linkPackages(project, [
  ...['@modelcontextprotocol/client', 'eventsource', 'openapi-fetch', 'standardwebhooks'],
]);
const service = await startService(t, generous, { isReachable: true });
await service.startBackground();
const { url, context } = service;
const client = createClient({ baseUrl: url });
let people = 0;
const hold = async () => {
  const [slot] = await someOpenSlots(context, 1);
  return placeHold(client, holdRequest(slot!, personNumber((people += 1))));
};
const person = JSON.stringify({ name: 'Ada Park', email: 'ada@example.com', phone: '5555550142' });

t.test('a viewer shows what is open, and what changes', async (t) => {
  const viewer = startProgram(t, project, 'stream-viewer.mjs', [url]);
  t.match(await viewer.line(/ open, /), /^\d+ open, 0 held, 0 booked; next: /);
  t.match(await viewer.line(/^2\d{3}-/), /^\d{4}-\d\d-\d\d \w+day +(9:00 AM|1:00 PM|5:00 PM)/);
  await hold();
  t.match(await viewer.line(/ 1 held/), / open, 1 held, 0 booked/);
});

t.test('the package has the README, what it links to, and tells of each example', async (t) => {
  const packed = join(project, 'node_modules', 'tattoo-studio-booking', 'src', 'client');
  const links = Array.from(readme.matchAll(/\]\((?!https:)([^)#]+)/gu), ([, path = '']) => path);
  for (const path of ['README.md', ...links]) await t.resolves(access(join(packed, path)), path);
  for (const name of Object.keys(examples)) {
    t.ok(readme.includes(`scripts/examples/${name}`), `${name} is in the README`);
  }
});

t.test('a stranger with the README or an agent with the address gets a booking', async (t) => {
  const link = /\/checkout\//;
  const confirmed = /: confirmed$/;
  const session = /^Your session on/;
  const held = /is held for you/;
  const tools = ['get_studio_info', 'list_open_times', 'hold_slot', 'get_booking_status'];
  const calls = tools.map((name) => new RegExp(`^${name}: `));
  for (const [program, args, lines] of [
    ['plain.mjs', [`${url}/`], [session, link, confirmed]],
    ['typed.mjs', [`${url}/`], [session, link, confirmed]],
    ['rest-agent.mjs', [`${url}/`, person], [held, link, confirmed]],
    ['mcp-agent.mjs', [`${url}/api/public/mcp`, person], [...calls, held, link, confirmed]],
  ] as const) {
    t.match(await runForPerson(t, project, program, [...args]), lines, program);
  }
});

t.test('an agent that misses something asks its person', async (t) => {
  for (const [program, address] of [
    ['rest-agent.mjs', url],
    ['mcp-agent.mjs', `${url}/api/public/mcp`],
  ] as const) {
    const agent = startProgram(t, project, program, [address, '{"name": "Ada Park"}']);
    t.equal(await agent.ended, 1, program);
    t.match(agent.errors(), /Ask the person for: email, phone/);
  }
});

t.test('a receiver gets the events of a hold and its confirmation', async (t) => {
  const hook = `http://127.0.0.1:${await freePort()}/hooks`;
  const receiver = startProgram(t, project, 'webhook-receiver.mjs', [url, hook]);
  await receiver.line(/→/);
  const { checkout_url } = await hold();
  await confirmAsPerson(checkout_url);
  t.match(await receiver.line(/Z hold\.created/), /: .*day, .* at .*, pending$/);
  t.match(await receiver.line(/Z booking\.confirmed/), /: .*day, .* at .*, confirmed$/);
  receiver.child.kill('SIGINT');
  t.equal(await receiver.ended, 0);
  const subscriptions = context.database.selectFrom('webhook_subscriptions').selectAll();
  t.same(await subscriptions.execute(), [], 'it ends its subscription');
});

t.test('the README subscribes, and its receiver takes what is genuine', async (t) => {
  const port = await freePort();
  const hook = `http://127.0.0.1:${port}/`;
  const subscribing = startProgram(t, project, 'subscribe.mjs', [url, hook]);
  const [, secret = ''] = (await subscribing.line(/^signing_secret whsec_/)).split(' ');
  t.match(await subscribing.line(/^manage_token/), /^manage_token tsm_/);

  const environment = { SIGNING_SECRET: secret, PORT: String(port) };
  const receiver = startProgram(t, project, 'receiver.mjs', [], environment);
  await receiver.line(/^Ready/);
  const forged = await fetch(hook, { method: 'POST', body: '{}' });
  t.equal(forged.status, 400);
  await hold();
  t.match(await receiver.line(/hold\.created/), /^[-\da-f]{36} hold\.created pending$/);
});
