import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import t, { type Test } from 'tap';
import { launchBrowser, patienceMs } from '../support/browser.js';
import { compile, createProject, linkPackages } from '../support/consumer.js';
import { confirmAsPerson } from '../support/forms.js';
import { installPackage, projectRoot } from '../support/project.js';
import { someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';

/** Code that must compile, with the errors that the compiler must report. */
const types = `
import { BookingError, createClient, holdAndHandOff } from 'tattoo-studio-booking/client';
import type { Booking, HoldRequest, TimeSlot } from 'tattoo-studio-booking/client';
import { parseEvent, type WebhookEvent } from 'tattoo-studio-booking/webhooks';
import type { Hold, paths } from 'tattoo-studio-booking/types';

const client = createClient({ baseUrl: 'https://book.example.com' });
const person = { name: 'Ada Park', email: 'ada@example.com', phone: '5555550142' };
export async function book(date: string, time_slot: TimeSlot): Promise<Booking | number> {
  const { data: studio } = await client.GET('/api/public/studio');
  const request: HoldRequest = { date, time_slot, ...person, name: studio?.data.name ?? '' };
  try {
    return await holdAndHandOff(client, request, ({ checkout_url }) => void checkout_url.length);
  } catch (error) {
    if (!(error instanceof BookingError)) throw error;
    return error.alternatives.length;
  }
}
export async function receive(request: Request): Promise<WebhookEvent['data']['status']> {
  const event = await parseEvent(request, 'whsec_x');
  const type: 'hold.created' | 'booking.confirmed' | 'hold.expired' = event.type;
  return type === 'hold.created' ? 'pending' : event.data.status;
}
export const url = (hold: Hold): string => hold.handoff.url;
export type Path = keyof paths;
// @ts-expect-error: there is no such session time
void client.POST('/api/public/holds', { body: { date: '', time_slot: '2:00 PM', ...person } });
// @ts-expect-error: the person is missing
void client.POST('/api/public/holds', { body: { date: '', time_slot: '1:00 PM' } });
// @ts-expect-error: there is no such address
void client.GET('/api/public/studios');
`;
const readme = await readFile(join(projectRoot, 'src/client/README.md'), 'utf8');
const [, typed = ''] = Array.from(readme.matchAll(/^```js\n([^]*?)^```$/gmu), ([, code]) => code);
const project = await createProject(t, {
  'types.ts': types,
  'typed.ts': `${typed}\ndeclare const process: { argv: string[] };\n`,
});
await installPackage(project);
// The only dependencies that the client and the webhooks module may load.
await linkPackages(project, ['openapi-fetch', 'standardwebhooks']);

t.test('the package lists what it runs', async (t) => {
  const file = join(project, 'node_modules/tattoo-studio-booking/dist/sbom.json');
  const { bomFormat, components } = JSON.parse(await readFile(file, 'utf8')) as {
    bomFormat: string;
    components: { name: string }[];
  };
  const names = components.map(({ name }) => name);
  t.equal(bomFormat, 'CycloneDX');
  t.ok(names.includes('fastify'));
  t.notOk(names.includes('tap'), 'and not what it is developed with');
});

t.test('a consumer type-checks under TypeScript 5.9 and the newest', async (t) => {
  const strict = { noUncheckedIndexedAccess: true };
  const options = { ...strict, module: 'nodenext', moduleResolution: 'nodenext' };
  t.equal(await compile(project, 'typescript', options), '');
  const bundled = { ...strict, module: 'esnext', moduleResolution: 'bundler' };
  t.equal(await compile(project, 'typescript-newest', bundled), '');
});

t.test('the client books in a browser, from the page of another origin', async (t) => {
  const browser = await launchBrowser(t);
  if (browser === null) return;
  const service = await startService(t, generous, { isReachable: true });
  const [slot] = await someOpenSlots(service.context, 1);
  const page = await browser.newPage();
  page.setDefaultTimeout(patienceMs);
  page.on('pageerror', (error) => t.fail(error.message));
  await page.goto(await serveFolder(t, project));
  const [outcome] = await Promise.all([
    page.evaluate(bookInPage, { baseUrl: service.url, ...slot! }),
    page
      .locator('a')
      .getAttribute('href')
      .then((link) => confirmAsPerson(link!)),
  ]);
  t.same(outcome, { status: 'confirmed', refusal: 'slot_unavailable' });
});

/** Runs in the browser. */
async function bookInPage(facts: { baseUrl: string; date: string; timeSlot: string }) {
  const address = 'tattoo-studio-booking/client';
  const { createClient, holdAndHandOff } = (await import(
    address
  )) as typeof import('../../src/client/client.js');
  const client = createClient({ baseUrl: facts.baseUrl });
  const request = {
    date: facts.date,
    time_slot: facts.timeSlot as '1:00 PM',
    name: 'Ada Park',
    email: 'ada@example.com',
    phone: '5555550142',
  };
  const booking = await holdAndHandOff(client, request, (hold) => {
    const link = Object.assign(document.createElement('a'), { href: hold.checkout_url });
    document.body.append(link, 'Lock it in');
  });
  const refusal = await holdAndHandOff(client, request, () => undefined).catch(
    (error: { code: string }) => error.code,
  );
  return { status: booking.status, refusal };
}

/** Serves a page with an import map, and the files of the folder; resolves with the URL. */
async function serveFolder(t: Test, folder: string): Promise<string> {
  const imports = {
    'tattoo-studio-booking/client': '/node_modules/tattoo-studio-booking/dist/src/client/client.js',
    'openapi-fetch': '/node_modules/openapi-fetch/dist/index.mjs',
  };
  const html = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>`;
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://x').pathname);
    const isPage = path === '/';
    readFile(join(folder, path))
      .catch(() => html)
      .then(
        (content) => {
          response.setHeader('content-type', isPage ? 'text/html' : 'text/javascript');
          response.end(isPage ? html : content);
        },
        () => response.destroy(),
      );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
