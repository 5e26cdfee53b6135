import type { LightMyRequestResponse } from 'fastify';
import type { TestService } from './service.js';

/** The fields of a form; one with several values is sent as often, and undefined left out. */
export type FormFields = Record<string, string | readonly string[] | undefined>;

export interface Posting {
  /** Beside those of a browser on the page; undefined leaves one out. */
  headers?: Record<string, string | undefined>;
  /** What the browser has kept, as it sends it. */
  cookie?: string | undefined;
  /** The address that it has. */
  from?: string | undefined;
}

/** Posts a form as a browser on a page of the service does. `fields`: text is sent as it is. */
export function postForm(
  { app, context }: Pick<TestService, 'app' | 'context'>,
  url: string,
  fields: FormFields | string | Buffer,
  { headers = {}, cookie, from = '127.0.0.1' }: Posting = {},
): Promise<LightMyRequestResponse> {
  const sent = {
    accept: 'text/html',
    'content-type': 'application/x-www-form-urlencoded',
    origin: context.config.publicBaseUrl,
    cookie: cookie === '' ? undefined : cookie,
    ...headers,
  };
  return app.inject({
    method: 'POST',
    url,
    remoteAddress: from,
    headers: present(sent),
    payload: typeof fields === 'string' || Buffer.isBuffer(fields) ? fields : encodeForm(fields),
  });
}

/** Presses a button of a checkout page, or of the page below it that moves. */
export function pressOn(
  service: Pick<TestService, 'app' | 'context'>,
  path: string,
  action: string,
  { fields, ...posting }: Posting & { fields?: FormFields } = {},
): Promise<LightMyRequestResponse> {
  return postForm(service, path, { action, ...fields }, posting);
}

/** What a person does with the link, without a browser: presses the button that confirms. */
export async function confirmAsPerson(checkoutUrl: string): Promise<void> {
  const answer = await fetch(checkoutUrl, {
    method: 'POST',
    headers: { origin: new URL(checkoutUrl).origin },
    body: new URLSearchParams({ action: 'confirm' }),
    redirect: 'manual',
  });
  if (answer.status !== 303) throw new Error(`the checkout page answered ${answer.status}`);
}

/** As a browser sends it. */
export function encodeForm(fields: FormFields): string {
  const entries = Object.entries(fields).flatMap(([name, values]) =>
    values === undefined ? [] : [values].flat().map((value): [string, string] => [name, value]),
  );
  return new URLSearchParams(entries).toString();
}

export function present(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** The cookie that an answer sets, as the browser sends it back; '' without one. */
export function cookieOf({ cookies: [cookie] }: LightMyRequestResponse): string {
  return cookie === undefined ? '' : `${cookie.name}=${cookie.value}`;
}
