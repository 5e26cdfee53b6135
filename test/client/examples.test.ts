import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { createClient, placeHold } from '../../src/client/client.js';
import {
  compile,
  compilers,
  createProject,
  linkPackages,
  runForPerson,
  startProgram,
} from '../support/consumer.js';
import { installPackage } from '../support/package.js';
import { freePort } from '../support/process.js';
import { confirmAsPerson, startReachableService } from '../support/person.js';
import { projectRoot } from '../support/project.js';
import { holdRequest, someOpenSlots } from '../support/requests.js';

const folder = join(projectRoot, 'scripts/examples');
const person = JSON.stringify({ name: 'Ada Park', email: 'ada@example.com', phone: '5555550142' });

async function readExamples(): Promise<Record<string, string>> {
  const names = await readdir(folder);
  const texts = names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')]);
  return Object.fromEntries((await Promise.all(texts)) as [string, string][]);
}

t.test(
  'examples and README programs run unchanged in a project that has the package',
  async (t) => {
    const examples = await readExamples();
    const readme = await readFile(join(projectRoot, 'src/client/README.md'), 'utf8');
    const [plain = '', typed = '', subscribe = '', receiver = ''] = Array.from(
      readme.matchAll(/^```js\n([^]*?)^```$/gmu),
      ([, code]) => code,
    );
    const project = await createProject(t, {
      ...examples,
      'plain.mjs': plain,
      'typed.mjs': typed,
      'subscribe.mjs': subscribe,
      'receiver.mjs': receiver,
      'typed.ts': `${typed}\ndeclare const process: { argv: string[] };\n`,
    });
    await installPackage(project);
    await linkPackages(project, [
      '@modelcontextprotocol/client',
      'eventsource',
      'openapi-fetch',
      'standardwebhooks',
    ]);

    await t.test('each is short, and the README tells of it', async (t) => {
      for (const [name, text] of Object.entries(examples)) {
        t.ok(text.split('\n').length <= 60, `${name} has less than 60 lines`);
        t.ok(readme.includes(`scripts/examples/${name}`), `${name} is in the README`);
      }
    });

    await t.test(
      'the package has the README for consumers, and each file it links to',
      async (t) => {
        const folder = join(project, 'node_modules', 'tattoo-studio-booking', 'src', 'client');
        const links = Array.from(
          readme.matchAll(/\]\((?!https:)([^)#]+)/gu),
          ([, path = '']) => path,
        );
        t.ok(links.length >= Object.keys(examples).length);
        for (const path of ['README.md', ...links])
          await t.resolves(access(join(folder, path)), path);
      },
    );

    await t.test(
      'a stranger with the README and the address gets a confirmed booking, with and without the client',
      async (t) => {
        for (const program of ['plain.mjs', 'typed.mjs']) {
          const service = await startReachableService(t);
          t.match(
            await runForPerson(t, project, program, [`${service.url}/`]),
            [/^Your session on/, /\/checkout\//, /: confirmed$/],
            program,
          );
        }
      },
    );

    await t.test('the program of the README with the client is TypeScript, too', async (t) => {
      const options = { module: 'nodenext', noUncheckedIndexedAccess: true };
      for (const compiler of compilers) t.equal(await compile(project, compiler, options), '');
    });

    await t.test('the README subscribes, and its receiver takes what is genuine', async (t) => {
      const service = await startReachableService(t);
      await service.startBackground();
      const port = await freePort();
      const hook = `http://127.0.0.1:${port}/`;
      const subscribing = startProgram(t, project, 'subscribe.mjs', [service.url, hook]);
      const [, secret = ''] = (await subscribing.line(/^signing_secret whsec_/)).split(' ');
      t.match(await subscribing.line(/^manage_token/), /^manage_token tsm_/);

      const environment = { SIGNING_SECRET: secret, PORT: String(port) };
      const receiver = startProgram(t, project, 'receiver.mjs', [], environment);
      await receiver.line(/^Ready/);
      const forged = await fetch(hook, { method: 'POST', body: '{}' });
      t.equal(forged.status, 400);
      const [slot] = await someOpenSlots(service.context, 1);
      await placeHold(createClient({ baseUrl: service.url }), holdRequest(slot!));
      t.match(await receiver.line(/hold\.created/), /^[-\da-f]{36} hold\.created pending$/);
    });

    await t.test('the error message alone explains an invalid request', async (t) => {
      const service = await startReachableService(t);
      const [slot] = await someOpenSlots(service.context, 1);
      const request = { ...holdRequest(slot!), email: 'ada' };
      await t.rejects(placeHold(createClient({ baseUrl: service.url }), request), {
        code: 'invalid_request',
        message: /^The request is not valid: body\.email must be an e-mail address\./,
      });
    });

    await t.test('an agent that knows only the address books over REST', async (t) => {
      const service = await startReachableService(t);
      t.match(await runForPerson(t, project, 'rest-agent.mjs', [`${service.url}/`, person]), [
        /^Your session on .* is held for you until \d/,
        /\/checkout\//,
        /: confirmed$/,
      ]);
    });

    await t.test('an agent books through MCP', async (t) => {
      const service = await startReachableService(t);
      const connector = `${service.url}/api/public/mcp`;
      t.match(await runForPerson(t, project, 'mcp-agent.mjs', [connector, person]), [
        /^get_studio_info: /,
        /^list_open_times: /,
        /^hold_slot: /,
        /^get_booking_status: /,
        /is held for you/,
        /\/checkout\//,
        /: confirmed$/,
      ]);
    });

    await t.test('an agent that misses something asks its person', async (t) => {
      const service = await startReachableService(t);
      for (const [program, address] of [
        ['rest-agent.mjs', service.url],
        ['mcp-agent.mjs', `${service.url}/api/public/mcp`],
      ] as const) {
        const agent = startProgram(t, project, program, [address, '{"name": "Ada Park"}']);
        t.equal(await agent.ended, 1, program);
        t.match(agent.errors(), /Ask the person for: email, phone/);
      }
    });

    await t.test('a receiver gets the events of a hold and its confirmation', async (t) => {
      const service = await startReachableService(t);
      await service.startBackground();
      const hook = `http://127.0.0.1:${await freePort()}/hooks`;
      const receiver = startProgram(t, project, 'webhook-receiver.mjs', [service.url, hook]);
      await receiver.line(/→/);
      const [slot] = await someOpenSlots(service.context, 1);
      const hold = await placeHold(createClient({ baseUrl: service.url }), holdRequest(slot!));
      await confirmAsPerson(hold.checkout_url);
      t.match(await receiver.line(/Z hold\.created/), /: .*day, .* at .*, pending$/);
      t.match(await receiver.line(/Z booking\.confirmed/), /: .*day, .* at .*, confirmed$/);

      receiver.child.kill('SIGINT');
      t.equal(await receiver.ended, 0);
      const left = await service.context.database
        .selectFrom('webhook_subscriptions')
        .selectAll()
        .execute();
      t.same(left, [], 'it ends its subscription');
    });

    await t.test('a viewer shows what is open, and what changes', async (t) => {
      const service = await startReachableService(t);
      const viewer = startProgram(t, project, 'stream-viewer.mjs', [service.url]);
      t.match(await viewer.line(/ open, /), /^\d+ open, 0 held, 0 booked; next: /);
      t.match(await viewer.line(/^2\d{3}-/), /^\d{4}-\d\d-\d\d \w+day +(9:00 AM|1:00 PM|5:00 PM)/);
      const [slot] = await someOpenSlots(service.context, 1);
      await placeHold(createClient({ baseUrl: service.url }), holdRequest(slot!));
      t.match(await viewer.line(/ 1 held/), / open, 1 held, 0 booked/);
    });
  },
);
