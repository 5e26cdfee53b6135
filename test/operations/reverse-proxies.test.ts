import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { connect, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { maxBodyBytes, maxWaitSeconds } from '../../src/config/limits.js';
import type { Slot } from '../../src/schedule/slots.js';
import { charged } from '../support/agents.js';
import { consoleLink } from '../support/console.js';
import { temporaryFolder } from '../support/embedded.js';
import { freePort } from '../support/process.js';
import { projectRoot } from '../support/project.js';
import { holdRequest, someOpenSlots } from '../support/requests.js';
import { proxyMissing, startReverseProxy, type ProxyName } from '../support/reverse-proxies.js';
import { selfSigned } from '../support/self-signed.js';
import { startAgain, startService } from '../support/service.js';

/** What a file of scripts/operations/proxy has, and what stands there in a test. */
type Replacements = Record<string, string>;

interface Example {
  file: string;
  /** The folder has certificate, key and both in one file, and a socket in place of port 80. */
  local(port: number, folder: string): Replacements;
  /** The line that says how long the program waits for a response. */
  timeout: string;
  /** Why a request during a restart of the service waits for it; null where it gets a page. */
  bridging: Replacements | null;
}

const examples: Record<ProxyName, Example> = {
  nginx: {
    file: 'nginx.conf',
    local: (port, folder) => ({
      'listen [::]:80;': '',
      'listen [::]:443 ssl http2;': '',
      'listen 80;': `listen unix:${folder}/plain;`,
      'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
      '/etc/ssl/book.example.com.crt': `${folder}/crt`,
      '/etc/ssl/book.example.com.key': `${folder}/key`,
    }),
    timeout: 'proxy_read_timeout 75s',
    bridging: null,
  },
  haproxy: {
    file: 'haproxy.cfg',
    local: (port, folder) => ({
      'bind :::80 v4v6': `bind ${folder}/plain`,
      'bind :::443 v4v6': `bind 127.0.0.1:${port}`,
      '/etc/ssl/book.example.com.pem': `${folder}/both`,
    }),
    timeout: 'timeout server 75s',
    bridging: { 'retries 15': 'retries 0' },
  },
  caddy: {
    file: 'Caddyfile',
    local: (port, folder) => ({
      '\nbook.example.com {': `\nhttps://127.0.0.1:${port} {\ntls ${folder}/crt ${folder}/key\n`,
    }),
    timeout: 'response_header_timeout 75s',
    bridging: { 'lb_try_duration 15s': 'lb_try_duration 0s' },
  },
};

/** The service and the example in front of it, with a client at each address of loopback. */
async function start(t: Test, name: ProxyName, changes: Replacements = {}) {
  const port = await freePort();
  const publicBaseUrl = `https://127.0.0.1:${port}`;
  const service = await startService(t, {
    PUBLIC_BASE_URL: publicBaseUrl,
    TRUST_PROXY: '127.0.0.1/32',
  });
  const folder = await temporaryFolder(t);
  const { cert, key } = selfSigned;
  for (const [end, text] of Object.entries({ crt: cert, key, both: `${cert}\n${key}` })) {
    await writeFile(join(folder, end), text);
  }
  const { file, local } = examples[name];
  let site = await readFile(join(projectRoot, 'scripts/operations/proxy', file), 'utf8');
  const target = new URL(service.url).host;
  const replacements = { ...local(port, folder), '127.0.0.1:3000': target, ...changes };
  for (const [from, to] of Object.entries(replacements)) {
    t.ok(site.includes(from), from);
    site = site.replaceAll(from, to);
  }
  await startReverseProxy(t, name, { target: service.url, port, site });
  return {
    ...service,
    plainSocket: join(folder, 'plain'),
    servicePort: Number(new URL(service.url).port),
    client: (address: string) => openClient(t, publicBaseUrl, address),
  };
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

function openClient(t: Test, url: string, localAddress: string) {
  const options = { ca: selfSigned.cert, localAddress };
  const session = connect(url, options);
  t.teardown(() => session.destroy());
  const open = async (path: string, headers: OutgoingHttpHeaders = {}, body?: string) => {
    const method = body === undefined ? 'GET' : 'POST';
    const stream = session.request({ ':path': path, ':method': method, ...headers });
    stream.end(body);
    const [answer] = (await once(stream, 'response')) as [IncomingHttpHeaders];
    return { stream, headers: answer, status: Number(answer[':status']) };
  };
  return {
    open,
    async send(...asked: Parameters<typeof open>): Promise<Answer> {
      const { stream, headers, status } = await open(...asked);
      return { status, headers, body: await buffer(stream) };
    },
  };
}

/** Reads a stream of events until what it has sent matches. */
async function arrival(stream: AsyncIterable<Buffer>, pattern: RegExp): Promise<void> {
  let text = '';
  for await (const chunk of stream) {
    text += chunk.toString();
    if (pattern.test(text)) return;
  }
  throw new Error(`the stream ended after ${text}`);
}

/** What says that the service is away for a moment. */
const away = {
  status: 503,
  headers: { 'retry-after': '5', 'content-type': 'text/html; charset=utf-8' },
};

const json = { 'content-type': 'application/json' };
const api = '/api/public';

for (const [name, { timeout, bridging }] of Object.entries(examples) as [ProxyName, Example][]) {
  const skip = proxyMissing(name);

  void t.test(`${name} as in the example: clients, streams, limits`, { skip }, async (t) => {
    const service = await start(t, name);
    const { context, plainSocket } = service;
    const [one, other] = [service.client('127.0.0.2'), service.client('127.0.0.3')];

    const read = async (client: typeof one, forged?: string) => {
      const headers =
        forged === undefined ? {} : { 'x-forwarded-for': forged, 'x-real-ip': forged };
      return charged(await client.send(`${api}/studio`, headers));
    };
    t.equal(await read(one), 'reads 59/60');
    t.equal(await read(one, '198.51.100.1'), 'reads 58/60', 'what the client makes up is ignored');
    t.equal(await read(one, '198.51.100.2, 127.0.0.1'), 'reads 57/60');
    t.equal(await read(other), 'reads 59/60', 'each address has its own');

    const watching = await one.open(`${api}/events`, { 'accept-encoding': 'gzip, br' });
    const [slot] = await someOpenSlots(context, 1);
    const pulsed = arrival(watching.stream, /"pending_holds":1\b/);
    const holding = { ...json, 'x-forwarded-for': '198.51.100.1' };
    const held = await one.send(`${api}/holds`, holding, JSON.stringify(holdRequest(slot!)));
    t.match(held, { status: 201 });
    t.equal(charged(held), 'holds 4/5');
    await pulsed;

    const { id } = (JSON.parse(held.body.toString()) as { data: { id: string } }).data;
    const waited = await one.send(`${api}/bookings/${id}`, { prefer: 'wait=1' });
    t.match(waited, { status: 200, headers: { 'preference-applied': 'wait=1' } });
    t.ok(Number(/\d+/.exec(timeout)) >= maxWaitSeconds + 10, 'the longest wait ends before that');

    // Caddy's own redirect would need port 80.
    if (name !== 'caddy') {
      const asking = request({ socketPath: plainSocket, path: '/book?a=b' }).end();
      const [{ statusCode, headers }] = (await once(asking, 'response')) as [IncomingMessage];
      t.match({ statusCode, ...headers }, { statusCode: 301, location: /^https:.*\/book\?a=b$/ });
      asking.destroy();
    }

    const page = await other.send('/book', { 'accept-encoding': 'gzip' });
    t.match(page.headers, {
      'content-encoding': 'gzip',
      'strict-transport-security': /^max-age=\d+$/,
    });
    t.match(gunzipSync(page.body).toString(), /<!doctype html>/i, 'compressed once');

    for (const path of ['healthz', 'readyz', 'metrics', '%72eadyz', '/readyz']) {
      t.match(await other.send(`/${path}`), { status: 404 }, path);
    }
    const ofSize = (bytes: number) =>
      other.send(`${api}/holds`, { ...json, 'content-length': bytes }, '"'.padEnd(bytes, 'x'));
    const refused = await ofSize(maxBodyBytes + 1);
    t.match(JSON.parse(refused.body.toString()), { error: { code: 'payload_too_large' } });
    t.match(await ofSize(3 * maxBodyBytes), {
      status: 413,
    });

    const { origin, pathname } = new URL(await consoleLink(service));
    const form = { origin, 'sec-fetch-site': 'same-origin', accept: 'text/html' };
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const signedIn = await other.send(pathname, { ...form, ...type }, '');
    t.match(signedIn, { status: 303, headers: { 'set-cookie': [/; Secure/] } });
  });

  void t.test(`${name} as in the example: a restart of the service`, { skip }, async (t) => {
    const { app, context, client, servicePort } = await start(t, name);
    const one = client('127.0.0.2');
    t.match(await one.send('/book'), { status: 200 });
    await app.close();
    const during = one.send('/book');
    if (bridging === null) t.match(await during, away);
    await startAgain(t, context, servicePort);
    if (bridging !== null) t.match(await during, { status: 200 });
    t.match(await one.send('/book'), { status: 200 });
  });

  void t.test(
    `${name}: the example's timeouts are those that end a request`,
    { skip },
    async (t) => {
      const short = { [timeout]: timeout.replace('75s', '1s'), ...bridging };
      const { app, context, client } = await start(t, name, short);
      const one = client('127.0.0.2');
      const { stream } = await one.open(`${api}/events`);
      const [slot, next] = await someOpenSlots(context, 2);
      const hold = (of: Slot) => one.send(`${api}/holds`, json, JSON.stringify(holdRequest(of)));
      const { body } = await hold(slot!);
      const { id } = (JSON.parse(body.toString()) as { data: { id: string } }).data;
      const pulsed = arrival(stream, /"pending_holds":2\b/);
      // Twice: an event may reach the stream during the first wait.
      const wait = () => one.send(`${api}/bookings/${id}`, { prefer: 'wait=50' });
      t.match([await wait(), await wait()], [{ status: 504 }, { status: 504 }]);
      await hold(next!);
      await pulsed;
      await app.close();
      t.match(await one.send('/book'), away);
    },
  );
}
