import t from 'tap';
import { charged } from '../support/agents.js';
import { standingClock } from '../support/clock.js';
import { startTestService } from '../support/service.js';

const html = { accept: 'text/html' };

/** The addresses in a tree as the router prints it, four characters for each level. */
function addressesOf(tree: string): string[] {
  const ends: string[] = [];
  return tree
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, branch = '', segment = ''] = /^([^/\w.:*]*)(\S+)/.exec(line) ?? [];
      const depth = branch.length / 4;
      ends.splice(depth - 1, Infinity, segment);
      return ends.join('');
    });
}

void t.test(
  'every request outside the public interface costs a page, except health checks',
  async (t) => {
    const { app } = await startTestService(t, {});
    const tree = app.printRoutes({ commonPrefix: false, method: 'GET' });
    const paths = addressesOf(tree).filter((path) => !path.startsWith('/api/public/'));
    for (const known of ['/', '/present', '/checkout/:token/state', '/docs/js/scalar.js']) {
      t.ok(paths.includes(known), known);
    }
    let pages = 300;
    for (const path of paths) {
      const url = path.replace(/[:*]\w*/, 'unknown');
      const { headers } = await app.inject({ url, headers: html });
      if (['/healthz', '/readyz'].includes(path)) {
        t.notHas(headers, { ratelimit: String }, path);
      } else {
        pages -= 1;
        t.equal(charged({ headers } as never), `pages ${pages}/300`, path);
      }
    }
    const post = await app.inject({ method: 'POST', url: '/checkout/unknown' });
    t.equal(charged(post), `pages ${pages - 1}/300`, 'refused ones too');
    const long = await app.inject(`/checkout/${'x'.repeat(5_000)}`);
    t.equal(charged(long), `pages ${pages - 2}/300`, 'and those refused before they arrive there');
    const read = await app.inject('/api/public/studio');
    t.equal(charged(read), 'reads 59/60', 'the interface has budgets of its own');
  },
);

void t.test(
  'the 301st page of an address within a minute gets 429 as a page, and succeeds after exactly Retry-After',
  async (t) => {
    const clock = standingClock();
    const { app } = await startTestService(t, {}, { clock });
    const url = '/checkout/unknown';
    const open = (from: object = {}) => app.inject({ url, headers: html, ...from });
    for (let page = 1; page <= 300; page += 1) {
      if (page === 150) clock.advance(20_500);
      t.equal((await open()).statusCode, 404);
    }
    const refused = await open();
    t.match(refused, { statusCode: 429, headers: { 'retry-after': '40' } });
    t.match(refused.headers['content-type'], 'text/html');
    t.match(refused.body, /Please try again in a minute/);
    t.match(await app.inject({ url: '/llms.txt' }), { statusCode: 429 });
    t.equal((await app.inject('/healthz')).statusCode, 200);
    t.equal((await open({ remoteAddress: '192.0.2.7' })).statusCode, 404, 'another address');
    const key = { authorization: 'Bearer tsk_anything' };
    t.equal((await open({ headers: { ...html, ...key } })).statusCode, 429, 'a key is no help');
    clock.advance(39_000);
    t.equal((await open()).statusCode, 429, 'a second too early');
    clock.advance(1_000);
    t.equal((await open()).statusCode, 404);
  },
);
