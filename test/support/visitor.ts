import { load, type Cheerio, type CheerioAPI } from 'cheerio';
import type { LightMyRequestResponse } from 'fastify';
import type { TestService } from './service.js';

type Element = ReturnType<CheerioAPI>[0];
type Fields = Record<string, string | readonly string[] | undefined>;
type Headers = Record<string, string>;

/**
 * A browser without scripts or styles: it keeps cookies, follows redirects and sends forms.
 * `headers`: sent with every request. `isPerson`: fails where a field is to be filled in that the
 * form does not have.
 */
export function visitor(
  { app, context: { config } }: Pick<TestService, 'app' | 'context'>,
  {
    address = '192.0.2.1',
    headers: always = {},
    isPerson = false,
  }: { address?: string; headers?: Headers; isPerson?: boolean } = {},
) {
  const base = config.publicBaseUrl;
  const cookies = new Map<string, string>();
  let path = '/';
  let answer: LightMyRequestResponse | undefined;
  let $ = load('');
  let presses = 0;

  async function request(url: string, headers: Headers, payload?: string): Promise<number> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const target = new URL(url, new URL(path, base));
    path = `${target.pathname}${target.search}`;
    answer = await app.inject({
      method: payload === undefined ? 'GET' : 'POST',
      url: path,
      remoteAddress: address,
      headers: {
        accept: 'text/html',
        'sec-fetch-site': 'same-origin',
        ...(cookie !== '' && { cookie }),
        ...(payload !== undefined && {
          origin: base,
          'content-type': 'application/x-www-form-urlencoded',
        }),
        ...always,
        ...headers,
      },
      ...(payload !== undefined && { payload }),
    });
    for (const { name, value, maxAge } of answer.cookies) {
      if (value === '' || maxAge === 0) cookies.delete(name);
      else cookies.set(name, value);
    }
    const { location } = answer.headers;
    if (location !== undefined) return request(location, {});
    $ = load(answer.body);
    return answer.statusCode;
  }

  /** The one element of these with the text or label. */
  function named(candidates: Cheerio<Element>, name: string): Cheerio<Element> {
    const found = candidates.filter((_, element) => {
      const label = $(element).attr('aria-label') ?? $(element).text();
      return single(label) === name || $(element).attr('value') === name;
    });
    if (found.length === 0) throw new Error(`There is no “${name}” on ${path}: ${$.text()}`);
    presses += 1 + found.first().parents('details:not([open])').length;
    return found.first();
  }

  return {
    /** The page on show: `$('main h1').text()`. */
    get $() {
      return $;
    },
    /** The last answer, which is no redirect. */
    get answer() {
      if (answer === undefined) throw new Error('No page is open.');
      return answer;
    },
    /** The path and query of the page on show. */
    get path() {
      return path;
    },
    /** How many links, buttons and closed details a person has pressed so far. */
    get presses() {
      return presses;
    },
    cookies,
    /** Opens an address, absolute or a path. Resolves with the status. */
    open: (url: string, headers: Headers = {}) => request(url, headers),
    /** Follows the link with this text, the first one if there are more. */
    follow: (link: string) => request(named($('a[href]'), link).attr('href') ?? '', {}),
    /**
     * Presses the button with this text, label or value, in `within` where several have it: sends the
     * fields of its form as they stand, with these changes. Undefined leaves a field out.
     */
    press(name: string, changes: Fields = {}, within = 'body') {
      const button = named($(within).find('button'), name);
      const id = button.attr('form');
      const form = id === undefined ? button.closest('form') : $(`form[id="${id}"]`);
      const fields = new URLSearchParams(
        form.serializeArray().map((field): [string, string] => [field.name, field.value]),
      );
      const ownName = button.attr('name');
      if (ownName !== undefined) fields.append(ownName, button.attr('value') ?? '');
      for (const [field, values] of Object.entries(changes)) {
        if (isPerson && form.find(`[name="${field}"]`).length === 0)
          throw new Error(`The form of “${name}” has no field ${field}`);
        fields.delete(field);
        for (const value of values === undefined ? [] : [values].flat())
          fields.append(field, value);
      }
      const action = button.attr('formaction') ?? form.attr('action') ?? path;
      const method = button.attr('formmethod') ?? form.attr('method') ?? 'get';
      if (method.toLowerCase() === 'post') return request(action, {}, fields.toString());
      return request(`${action.split('?')[0]}?${fields.toString()}`, {});
    },
    /** Posts the fields of a form that was kept. */
    post: (url: string, fields: Record<string, string>) =>
      request(url, {}, new URLSearchParams(fields).toString()),
    /** The text of an element, with single spaces. */
    text: (selector = 'body') => single($(selector).first().text()),
    /** The texts of all that match. */
    texts: (selector: string) =>
      $(selector)
        .map((_, element) => single($(element).text()))
        .get(),
  };
}

export type Visitor = ReturnType<typeof visitor>;

function single(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
