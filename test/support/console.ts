import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Test } from 'tap';
import { createConsoleLink } from '../../src/access/console-sessions.js';
import type { BookingRow } from '../../src/database/rows/schema.js';
import { addBooking } from '../../src/domain/studio/bookings.js';
import { listAuditRows } from '../../src/repositories/audit.js';
import type { Artist, SlotOfArtist } from '../../src/schedule/artists.js';
import { cookieOf, postForm, present, type FormFields } from './forms.js';
import { openPage } from './pages.js';
import type { BrowserService, TestService } from './service.js';
import { visitor, type Visitor } from './visitor.js';

/** The address of a fresh sign-in link, as `studio console link` prints it. */
export async function consoleLink(
  { context }: Pick<TestService, 'context'>,
  name = 'Ada',
  artist: Pick<Artist, 'id' | 'slug'> | null = null,
): Promise<string> {
  const { token } = await createConsoleLink(context, 'test', { name, artist });
  return `${context.config.publicBaseUrl}/console/sign-in/${token}`;
}

/** A visitor that is signed in to the console. */
export async function signedIn(
  service: Pick<TestService, 'context' | 'app'>,
  name?: string,
  artist: Pick<Artist, 'id' | 'slug'> | null = null,
): Promise<Visitor> {
  const person = visitor(service, { isPerson: true });
  await person.open(await consoleLink(service, name, artist));
  await person.press('Sign in');
  return person;
}

/** A booking of the studio's own. */
export async function addPerson(
  { context }: Pick<TestService, 'context'>,
  slot: SlotOfArtist,
  person: Parameters<typeof addBooking>[3] = { name: 'Grace' },
): Promise<BookingRow> {
  const added = await addBooking(context, 'test', slot, person);
  if (added.outcome !== 'added') throw new Error(`${slot.date} ${slot.timeSlot}: ${added.outcome}`);
  await context.board.refresh();
  return added.booking;
}

/** The newest actions of the audit, newest first. */
export async function newestActions(
  { context }: Pick<TestService, 'context'>,
  limit: number,
): Promise<{ actor: string; action: string; details: unknown }[]> {
  const rows = await listAuditRows(context.database, limit);
  return rows.map(({ actor, action, details }) => ({ actor, action, details }));
}

/** A page of a fresh browser profile that is signed in to the console, which it shows. */
export async function openConsole(
  t: Test,
  service: BrowserService,
  options: BrowserContextOptions = {},
  name?: string,
): Promise<Page> {
  const page = await openPage(t, service, options);
  const { cookies } = await signedIn(service, name);
  const session = [...cookies].map(([key, value]) => ({ name: key, value, url: service.url }));
  await page.context().addCookies(session);
  await page.goto(`${service.url}/console`);
  return page;
}

const sameOrigin = { 'sec-fetch-site': 'same-origin' };

type Headers = Record<string, string | undefined>;
type Entrance = Pick<TestService, 'context' | 'app'>;

/** A client of the console, which posts forms with the cookie and the CSRF token of a session. */
export type ConsoleClient = ReturnType<typeof consoleClient>;

/** A client with this cookie, of this process or of `app`. */
export function consoleClient(
  { app: own, context }: Entrance,
  cookie: string,
  app: FastifyInstance = own,
) {
  const get = (url: string, headers: Headers = {}) =>
    app.inject({
      url,
      headers: present({ accept: 'text/html', ...sameOrigin, cookie, ...headers }),
    });
  /** The CSRF token of a page. */
  const token = async (): Promise<string> => {
    const { body } = await get('/console/sign-ins');
    return /name="_csrf" value="([^"]+)"/.exec(body)?.[1] ?? '';
  };
  return {
    /** As the browser sends it: `console=…`. */
    cookie,
    token,
    get,
    /** Adds the CSRF token unless `fields` has one; undefined leaves a header or a field out. */
    async post(url: string, fields: FormFields = {}, headers: Headers = {}) {
      const form = '_csrf' in fields ? fields : { _csrf: await token(), ...fields };
      const posting = { cookie, headers: { ...sameOrigin, ...headers } };
      return postForm({ app, context }, url, form, posting);
    },
  };
}

/** Presses the button of a link, with the cookie that the browser has. */
export function openLink(
  { app: own, context }: Entrance,
  link: string,
  { cookie = '', app = own }: { cookie?: string; app?: FastifyInstance } = {},
): Promise<LightMyRequestResponse> {
  return postForm({ app, context }, new URL(link).pathname, '', { cookie, headers: sameOrigin });
}

/** Signs in with a fresh link. */
export async function signIn(
  service: Pick<TestService, 'context' | 'app'>,
  name?: string,
  artist: Pick<Artist, 'id' | 'slug'> | null = null,
): Promise<ConsoleClient> {
  const answer = await openLink(service, await consoleLink(service, name, artist));
  return consoleClient(service, cookieOf(answer));
}

/** The routes of the console: `GET POST /console/bookings`. */
export function consoleRoutes(app: FastifyInstance): string[] {
  const path: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] =
        /^(.*?)[└├]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
      path.splice(indent.length / 4, Infinity, part.replace(/(:\w+)\(.*\)$/, '$1'));
      const url = path.join('').replaceAll('//', '/');
      const named = methods.split(', ').filter((method) => /GET|POST/.test(method));
      if (!/^\/console(?:\/|$)/.test(url) || named.length === 0) return [];
      return [`${named.sort().join(' ')} ${url}`];
    });
}
