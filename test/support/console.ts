import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Test } from 'tap';
import { createConsoleLink } from '../../src/access/console-sessions.js';
import { openPage, startPages, type Pages } from './pages.js';
import type { TestService } from './service.js';

/** The address of a fresh sign-in link, as `studio console link` prints it. */
export async function consoleLink(
  { context }: Pick<TestService, 'context'>,
  name = 'Ada',
): Promise<string> {
  const { token } = await createConsoleLink(context, 'test', name);
  return `${context.config.publicBaseUrl}/console/sign-in/${token}`;
}

/** A page of a fresh browser profile that is signed in to the console. */
export async function openConsole(
  t: Test,
  pages: Pages,
  options: BrowserContextOptions = {},
  name?: string,
): Promise<Page> {
  const page = await openPage(t, pages, options);
  await page.goto(await consoleLink(pages.service, name));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${pages.url}/console`);
  return page;
}

/** A service, a browser, and a page of it that is signed in; null without a browser. */
export async function startConsole(
  t: Test,
  environment: Record<string, string> = {},
  options: BrowserContextOptions = {},
): Promise<{ pages: Pages; page: Page } | null> {
  const pages = await startPages(t, environment);
  if (pages === null) return null;
  return { pages, page: await openConsole(t, pages, options) };
}

/** What a browser on a page of the console sends. */
export function browserHeaders({ context: { config } }: Pick<TestService, 'context'>) {
  return {
    accept: 'text/html',
    'content-type': 'application/x-www-form-urlencoded',
    origin: config.publicBaseUrl,
    'sec-fetch-site': 'same-origin',
  };
}

type Headers = Record<string, string | undefined>;

/** A browser without a browser: posts forms with the cookie and the token of a session. */
export interface ConsoleClient {
  /** As the browser sends it: `console=…`. */
  cookie: string;
  /** The CSRF token of a page. */
  token(): Promise<string>;
  get(path: string, headers?: Headers): Promise<LightMyRequestResponse>;
  /** Adds the CSRF token unless `fields` has one; undefined leaves a header or a field out. */
  post(
    path: string,
    fields?: Record<string, string | undefined>,
    headers?: Headers,
  ): Promise<LightMyRequestResponse>;
}

/** A client with this cookie, of this process or of `app`. */
export function consoleClient(
  service: Pick<TestService, 'context' | 'app'>,
  cookie: string,
  app: FastifyInstance = service.app,
): ConsoleClient {
  const sent = (headers: Headers) => present({ ...browserHeaders(service), cookie, ...headers });
  const client: ConsoleClient = {
    cookie,
    async token() {
      const { body } = await client.get('/console/sign-ins');
      return /name="_csrf" value="([^"]+)"/.exec(body)?.[1] ?? '';
    },
    get: (url, headers = {}) =>
      app.inject({
        url,
        headers: sent({ 'content-type': undefined, origin: undefined, ...headers }),
      }),
    async post(url, fields = {}, headers = {}) {
      const form = { ...('_csrf' in fields ? {} : { _csrf: await client.token() }), ...fields };
      const payload = new URLSearchParams(present(form)).toString();
      return app.inject({ method: 'POST', url, headers: sent(headers), payload });
    },
  };
  return client;
}

function present(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Presses the button of a link, with the cookie that the browser has. */
export async function openLink(
  service: Pick<TestService, 'context' | 'app'>,
  link: string,
  { cookie = '', app = service.app }: { cookie?: string; app?: FastifyInstance } = {},
): Promise<LightMyRequestResponse> {
  const headers = present({
    ...browserHeaders(service),
    cookie: cookie === '' ? undefined : cookie,
  });
  return app.inject({ method: 'POST', url: new URL(link).pathname, headers, payload: '' });
}

/** The cookie that an answer sets, as the browser sends it; '' without one. */
export function cookieOf({ cookies }: LightMyRequestResponse): string {
  const [cookie] = cookies;
  return cookie === undefined ? '' : `${cookie.name}=${cookie.value}`;
}

/** Signs in with a fresh link. */
export async function signIn(
  service: Pick<TestService, 'context' | 'app'>,
  name?: string,
): Promise<ConsoleClient> {
  const answer = await openLink(service, await consoleLink(service, name));
  return consoleClient(service, cookieOf(answer));
}
