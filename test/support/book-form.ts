import { randomUUID } from 'node:crypto';
import { load } from 'cheerio';
import type { LightMyRequestResponse } from 'fastify';
import { slotKey, type Slot } from '../../src/calendar/slots.js';
import { personFields, type Typed } from '../../src/pages/book/hold-form.js';
import type { TestService } from './service.js';

/** The fields of a form; one with several values is sent as often. */
export type FormFields = Record<string, string | readonly string[]>;

/** The form of a slot with valid answers, and a nonce of its own. */
export function bookForm(slot: Slot, changes: FormFields = {}): FormFields {
  return {
    action: 'hold',
    nonce: randomUUID(),
    slot: slotKey(slot),
    name: 'Ada Park',
    email: 'ada@example.com',
    phone: '5555550142',
    pronouns: '',
    idea: '',
    ...changes,
  };
}

/** The form that lets a hold go. */
export function releaseForm(bookingId: string, sequence = 0): FormFields {
  return { action: 'release', hold: bookingId, sequence: String(sequence) };
}

/** As a browser sends it. */
export function encodeForm(fields: FormFields): string {
  const entries = Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
  return new URLSearchParams(entries).toString();
}

export interface Posting {
  /** Beside those of a browser on the page; undefined leaves one out. */
  headers?: Record<string, string | undefined>;
  /** The token in the cookie `hold`. */
  cookie?: string;
  address?: string;
}

/** Posts to `/book` as a browser does. `fields`: text is sent as it is. */
export function postBook(
  { app, context }: Pick<TestService, 'app' | 'context'>,
  fields: FormFields | string | Buffer,
  { headers = {}, cookie, address = '192.0.2.1' }: Posting = {},
): Promise<LightMyRequestResponse> {
  const sent = {
    accept: 'text/html',
    'content-type': 'application/x-www-form-urlencoded',
    origin: context.config.publicBaseUrl,
    ...(cookie !== undefined && { cookie: `hold=${cookie}` }),
    ...headers,
  };
  const isEncoded = typeof fields === 'string' || Buffer.isBuffer(fields);
  return app.inject({
    method: 'POST',
    url: '/book',
    remoteAddress: address,
    headers: Object.fromEntries(
      Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    payload: isEncoded ? fields : encodeForm(fields),
  });
}

/** The token of the checkout page that a form has led to. */
export function tokenOf({ headers: { location } }: LightMyRequestResponse): string {
  return /^\/checkout\/([\w-]{43})$/.exec(String(location))?.[1] ?? `no token in ${location}`;
}

/** What a page shows in the fields of the form. */
export function typedIn(html: string): Typed {
  const $ = load(html);
  return Object.fromEntries(
    personFields.map((name) => [name, String($(`#${name}`).val() ?? `there is no ${name}`)]),
  ) as Typed;
}

/** The mistakes beside the fields that refer to them, and those at the top, by field. */
export function mistakesIn(html: string) {
  const $ = load(html);
  const beside: Record<string, string> = {};
  for (const field of $('[aria-invalid=true]').get()) {
    const { id = '', 'aria-describedby': described = '' } = $(field).attr() ?? {};
    const ids = described.split(' ').filter((each) => each.endsWith('-mistake'));
    beside[id] = ids.map((each) => $(`[id="${each}"]`).text()).join();
  }
  const links = $('[role=alert] li a').get();
  const listed = Object.fromEntries(
    links.map((link) => [$(link).attr('href')?.slice(1), $(link).text()]),
  );
  return { beside, listed, heading: $('#mistakes').text() };
}
