import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, request, type OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGzip } from 'node:zlib';
import type { Test } from 'tap';
import { freePort, findProgram } from './process.js';

export interface ReverseProxyOptions {
  /** The address of the service. */
  target: string;
  /** Of loopback; a free one by default. */
  port?: number;
  /** Lines of the program's configuration, where it forwards requests. */
  settings?: string;
  /** The configuration itself, in place of one made of the options above. */
  site?: string;
}

interface Program {
  arguments(file: string): string[];
  site(options: Required<Omit<ReverseProxyOptions, 'site'>>): string;
  /** What stands around a site, beside what an installed program has there. */
  around?(site: string, folder: string): string;
  /** What it prints once it listens. */
  isReady: RegExp;
}

const programs = {
  nginx: {
    arguments: (file) => ['-e', 'stderr', '-c', file],
    around: (site, folder) => `
      daemon off; master_process off; pid ${folder}/pid; error_log stderr notice;
      events {}
      http {
        access_log off;
        ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
          .map((name) => `${name}_temp_path ${folder}/${name};`)
          .join(' ')}
        ${site}
      }`,
    site: ({ target, port, settings }) => `
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass ${target};
          ${settings}
        }
      }`,
    isReady: /using the ".*" event method/,
  },
  haproxy: {
    arguments: (file) => ['-W', '-db', '-f', file],
    site: ({ target, port, settings }) => `
defaults
  mode http
  timeout connect 10s
  timeout client 60s
  timeout server 60s
frontend public
  bind 127.0.0.1:${port}
  default_backend service
backend service
  ${settings}
  server service ${new URL(target).host}
`,
    isReady: /Loading success/,
  },
  caddy: {
    arguments: (file) => ['run', '--config', file, '--adapter', 'caddyfile'],
    around: (site) => `
{
  admin off
  auto_https disable_redirects
}
${site}`,
    site: ({ target, port, settings }) => `
http://127.0.0.1:${port}, http://localhost:${port} {
  ${settings}
  reverse_proxy ${new URL(target).host}
}
`,
    isReady: /serving initial configuration/,
  },
} satisfies Record<string, Program>;

export type ProxyName = keyof typeof programs;

/** For tap's `skip`: why tests with this proxy cannot run, or false. */
export function proxyMissing(name: ProxyName): string | false {
  return findProgram(name) === null && `no ${name} on this machine`;
}

/** Starts a real proxy in front of the service, stopped at the end of the test; returns its address. */
export async function startReverseProxy(
  t: Test,
  name: ProxyName,
  { target, port, settings = '', site }: ReverseProxyOptions,
): Promise<string> {
  const program: Program = programs[name];
  const folder = t.testdir();
  const file = join(folder, 'proxy.conf');
  const options = { target, port: port ?? (await freePort()), settings };
  const own = site ?? program.site(options);
  await writeFile(file, program.around?.(own, folder) ?? own);
  const child = spawn(findProgram(name) ?? name, program.arguments(file), {
    env: { PATH: process.env['PATH'], XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await new Promise<void>((resolve, reject) => {
    const printed: string[] = [];
    for (const input of [child.stdout, child.stderr]) {
      createInterface({ input }).on('line', (line) => {
        printed.push(line);
        if (program.isReady.test(line)) resolve();
      });
    }
    child.once('close', () => reject(new Error(`${name} ended:\n${printed.join('\n')}`)));
  });
  return `http://127.0.0.1:${options.port}`;
}

/**
 * A proxy in this process, for machines without one. It compresses as Caddy 2.6 does, which heeds no
 * `no-transform` and holds events back until it has a buffer full of them, and sets `headers` as a
 * proxy's own lines do.
 */
export async function startTestProxy(
  t: Test,
  {
    target,
    port = 0,
    headers = {},
  }: Omit<ReverseProxyOptions, 'settings' | 'site'> & { headers?: OutgoingHttpHeaders },
): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const onward = request(`${target}${incoming.url}`, {
      method: incoming.method,
      headers: { ...incoming.headers, host: new URL(target).host },
      agent: false,
    });
    onward.on('response', (answer) => {
      const isCompressed =
        String(incoming.headers['accept-encoding']).includes('gzip') &&
        String(answer.headers['content-type']).startsWith('text/') &&
        answer.headers['content-encoding'] === undefined;
      const { 'content-length': length, connection: _, ...others } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, {
        ...others,
        ...(isCompressed ? { 'content-encoding': 'gzip' } : length && { 'content-length': length }),
        ...headers,
      });
      outgoing.flushHeaders();
      if (isCompressed) answer.pipe(createGzip()).pipe(outgoing);
      else answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`;
}
