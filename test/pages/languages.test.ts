import { load } from 'cheerio';
import t from 'tap';
import { signedIn } from '../support/console.js';
import { twoLanguages } from '../support/languages.js';
import { generous, startService, type TestService } from '../support/service.js';

const service = await startService(t, generous, { overrides: { languages: twoLanguages('es') } });
const { context } = service;
const alone = await startService(t);
const none = 'no lang';

type Headers = Record<string, string>;

async function read({ app }: TestService, url: string, headers: Headers = {}) {
  const answer = await app.inject({ url, headers: { accept: 'text/html', ...headers } });
  const { headers: sent, body, cookies } = answer;
  return { body, sent, cookies, lang: load(body)('html').attr('lang') ?? none };
}

const accepting = (languages: string): Headers => ({ 'accept-language': languages });

void t.test(
  'a page is in the language of its address, the cookie, the browser or the studio, in this order',
  async (t) => {
    const langOf = async (url: string, headers?: Headers) =>
      (await read(service, url, headers)).lang;
    t.equal(await langOf('/book'), 'en');
    t.equal(await langOf('/book', accepting('es-MX, en;q=0.8')), 'es');
    t.equal(await langOf('/book', accepting('fr, es;q=0.5, en;q=0.4')), 'es');
    t.equal(await langOf('/book', accepting('es-MX, en')), 'es', 'the order counts, no likeness');
    t.equal(await langOf('/book', accepting('fr-x-es, en-GB-oxendict')), 'en');
    t.equal(await langOf('/book', { ...accepting('en'), cookie: 'lang=es' }), 'es');
    t.equal(await langOf('/book', { ...accepting('en'), cookie: 'lang=xx' }), 'en');
    t.equal(await langOf('/book?lang=en', { cookie: 'lang=es' }), 'en');
    t.equal(await langOf('/book?lang=xx', { cookie: 'lang=es' }), 'es');
    t.equal(await langOf('/book?lang=ES'), 'es');
    t.equal(await langOf('/no-page?lang=es'), 'es', 'the page of an error');
    const long = `/book?${'n'.repeat(20_000)}`;
    t.equal(await langOf(long, { cookie: 'lang=es' }), 'es', 'one that fails before any hook');

    await context.database.updateTable('studio').set({ language: 'es' }).execute();
    await context.board.refresh();
    t.equal(await langOf('/book'), 'es');
    t.equal(await langOf('/book', accepting('fr')), 'es');
    t.equal(await langOf('/book', accepting('*')), 'es');
    t.equal(await langOf('/book', accepting('fr, *;q=0.5')), 'es');
    t.equal(await langOf('/book', accepting('fr, en;q=0.1')), 'en');
    await context.database.updateTable('studio').set({ language: 'fr' }).execute();
    await context.board.refresh();
    t.equal(await langOf('/book'), 'en', 'of a language that the service does not speak');
  },
);

void t.test('a browser keeps the language that is chosen by an address', async (t) => {
  const chosen = await read(service, '/book?lang=es');
  t.match(chosen.cookies, [{ name: 'lang', value: 'es', path: '/' }]);
  t.strictSame((await read(service, '/book?lang=xx')).cookies, []);
});

void t.test('two languages never share a kept page, also not in a cache', async (t) => {
  for (const url of ['/', '/present', '/book', '/privacy']) {
    const [first, other, again] = [
      await read(service, url, accepting('en')),
      await read(service, url, accepting('es')),
      await read(service, url, accepting('en')),
    ];
    t.equal(again.lang, url === '/present' ? none : 'en', url);
    t.equal(other.lang, url === '/present' ? none : 'es', url);
    t.equal(again.sent.etag, first.sent.etag, url);
    if (url !== '/book') t.not(other.sent.etag, first.sent.etag, url);
    for (const { sent } of [first, other]) {
      t.match(sent.vary, /accept-language, cookie/, url);
      t.match(sent['cache-control'], /private|no-store/, url);
    }
  }
});

void t.test('with one language, nothing shows that there could be others', async (t) => {
  for (const url of ['/', '/present', '/book', '/privacy']) {
    const plain = await read(alone, url);
    const asked = await read(alone, url, { ...accepting('es'), cookie: 'lang=es' });
    t.equal(asked.body, plain.body, url);
    t.notMatch(plain.sent.vary, /language/, url);
    t.notMatch(plain.sent['cache-control'], /private/, url);
    t.strictSame((await read(alone, `${url}?lang=es`)).cookies, [], url);
  }
});

void t.test('the console is English', async (t) => {
  const studio = await signedIn(service);
  await studio.open('/console?lang=es', accepting('es'));
  t.equal(studio.answer.statusCode, 200);
  t.equal(studio.$('html').attr('lang'), 'en');
  t.notMatch(studio.answer.headers.vary, /language/);
  await studio.open('/console/nowhere', accepting('es'));
  t.equal(studio.$('html').attr('lang'), 'en');
});
