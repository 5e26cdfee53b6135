import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import t, { type Test } from 'tap';
import { launchBrowser, patienceMs } from '../support/browser.js';
import {
  compile,
  compilers,
  compilerVersion,
  createProject,
  linkPackages,
  runForPerson,
} from '../support/consumer.js';
import { installPackage } from '../support/package.js';
import { confirmAsPerson, startReachableService } from '../support/person.js';
import { someOpenSlots } from '../support/requests.js';

/** The only dependencies that the client and the webhooks module may load. */
const dependencies = ['openapi-fetch', 'standardwebhooks'];

const program = `
import { createClient, holdAndHandOff, BookingError } from 'tattoo-studio-booking/client';
import type { Booking, HoldRequest, TimeSlot } from 'tattoo-studio-booking/client';

const [baseUrl = '', date = '', time_slot = ''] = process.argv.slice(2);
const client = createClient({ baseUrl });
const { data: studio } = await client.GET('/api/public/studio');
console.log('studio', studio?.data.name);
const request: HoldRequest = {
  date, time_slot: time_slot as TimeSlot,
  name: 'Ada Park', email: 'ada@example.com', phone: '5555550142',
};
const booking: Booking = await holdAndHandOff(client, request, (hold) => {
  console.log('open', hold.checkout_url);
});
console.log('status', booking.status);
try {
  await holdAndHandOff(client, request, () => undefined);
} catch (error) {
  if (!(error instanceof BookingError)) throw error;
  console.log('refused', error.code, error.alternatives.length);
}
declare const process: { argv: string[] };
`;

/** Code that must compile, with the errors that the compiler must report. */
const types = `
import { createClient } from 'tattoo-studio-booking/client';
import { parseEvent, type WebhookEvent } from 'tattoo-studio-booking/webhooks';
import type { Hold, paths } from 'tattoo-studio-booking/types';

export async function receive(request: Request): Promise<WebhookEvent['data']['status']> {
  const event = await parseEvent(request, 'whsec_x');
  const type: 'hold.created' | 'booking.confirmed' | 'hold.expired' = event.type;
  return type === 'hold.created' ? 'pending' : event.data.status;
}
export const url = (hold: Hold): string => hold.handoff.url;
export type Path = keyof paths;
const client = createClient({ baseUrl: 'https://book.example.com' });
// @ts-expect-error: there is no such session time
void client.POST('/api/public/holds', { body: { date: '', time_slot: '2:00 PM', name: '', email: '', phone: '' } });
// @ts-expect-error: the person is missing
void client.POST('/api/public/holds', { body: { date: '', time_slot: '1:00 PM' } });
// @ts-expect-error: there is no such address
void client.GET('/api/public/studios');
`;

t.test('a consumer loads only two small dependencies', async (t) => {
  const project = await createProject(t, { 'program.ts': program, 'types.ts': types });
  await installPackage(project);
  await linkPackages(project, dependencies);

  await t.test('it type-checks under TypeScript 5.9 and the newest', async (t) => {
    t.match(await compilerVersion('typescript'), /^5\.9\./);
    for (const compiler of compilers) {
      const modules = { nodenext: 'nodenext', bundler: 'esnext' };
      for (const [moduleResolution, module] of Object.entries(modules)) {
        const options = { module, moduleResolution };
        t.equal(await compile(project, compiler, options), '', `${compiler}, ${moduleResolution}`);
      }
    }
  });

  await t.test('the compiled program books in Node', async (t) => {
    const service = await startReachableService(t);
    const [slot] = await someOpenSlots(service.context, 1);
    const lines = await runForPerson(t, project, 'program.js', [
      service.url,
      slot!.date,
      slot!.timeSlot,
    ]);
    t.match(lines, [
      'studio Night Heron Tattoo',
      /^open http/,
      'status confirmed',
      'refused slot_unavailable 5',
    ]);
  });

  await t.test('the same client books in a browser, from the page of another origin', async (t) => {
    const browser = await launchBrowser(t);
    if (browser === null) return;
    const service = await startReachableService(t);
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
