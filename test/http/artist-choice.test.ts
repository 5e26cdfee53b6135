import t from 'tap';
import type { Availability } from '../../generated/schemas.js';
import { changeArtistDays } from '../../src/domain/studio/artist-days.js';
import { changeArtist } from '../../src/domain/studio/artists.js';
import { addArtists } from '../support/artists.js';
import { responseValidator } from '../support/document.js';
import { close } from '../support/holds.js';
import { openLiveStream } from '../support/live-stream.js';
import { connectClient, connectModernClient, refusalOf } from '../support/mcp.js';
import { holdRequest, someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';

const check = responseValidator();
const service = await startService(t, generous);
const { app, url, context } = service;
const { publicBaseUrl } = context.config;
const [slot, other] = await someOpenSlots(context, 2);
const range = { from: slot.date, to: other.date };
const clients = [await connectClient(t, url), await connectModernClient(t, url)];

async function list(query: object, headers: Record<string, string> = {}) {
  const params = new URLSearchParams({ ...range, ...query }).toString();
  const answer = await app.inject({ url: `/api/public/availability?${params}`, headers });
  const { statusCode: status, body } = answer;
  t.strictSame(check({ operation: 'listAvailability', status, headers: answer.headers, body }), []);
  const json = JSON.parse(body || '{}') as {
    data: Availability;
    error: { details: { path: string; message: string }[] };
  };
  return { status, etag: String(answer.headers['etag']), ...json };
}

/** The refusal of a hold with these members, over REST and by both clients of the tool. */
async function refusals(members: object): Promise<{ message: string; details?: object[] }[]> {
  const payload = { ...holdRequest(slot), ...members };
  const answer = await app.inject({ method: 'POST', url: '/api/public/holds', payload });
  t.equal(answer.statusCode, 400);
  const calls = clients.map(async (each) => refusalOf(await each.call('hold_slot', payload)));
  const { error } = answer.json<{ error: { message: string } }>();
  return [error, ...(await Promise.all(calls))];
}

const linksIn = async () => {
  const viewing = await openLiveStream(t, url);
  const shown = await viewing.next(({ event }) => event === 'availability');
  const capabilities = (await app.inject('/api/public/capabilities')).json<{
    data: Availability;
  }>();
  const [called] = await Promise.all(clients.map((each) => each.call('list_open_times', range)));
  return [(await list({})).data, shown.data, capabilities.data, called!.structuredContent].map(
    (data) => (data as Availability).book_url_template,
  );
};

t.test('where there is one artist, nobody can be chosen and none is spoken of', async (t) => {
  t.match(await list({ artist: 'artist' }), {
    status: 400,
    error: { details: [{ path: 'query.artist', message: /leave it out$/ }] },
  });
  for (const { message } of await refusals({ artist: 'Jon' })) {
    t.match(message, /\.artist is not known, so remove "artist"; known are: date, /);
  }
  t.strictSame(await linksIn(), Array(4).fill(`${publicBaseUrl}/book{?date,time_slot}`));
  for (const path of ['/llms.txt', '/guide.md', '/api/public/studio', '/api/public/capabilities']) {
    t.notMatch((await app.inject(path)).body, /artist/i, path);
  }
});

t.test('open times are narrowed to one artist, by word or name in any letter case', async (t) => {
  await addArtists(context, 3);
  await close(context, slot.date, slot.timeSlot, 2);
  await context.board.refresh();
  t.strictSame(await linksIn(), Array(4).fill(`${publicBaseUrl}/book{?date,time_slot,artist}`));

  const all = await list({});
  const isOpen = ({ data }: { data: Availability }) =>
    data.days.find(({ date }) => date === slot.date)?.slots[0]?.time_slot === slot.timeSlot;
  t.ok(isOpen(all));
  const [jon, mara] = [await list({ artist: 'jon' }), await list({ artist: 'mara' })];
  t.notOk(isOpen(jon), 'Jon is away');
  t.ok(isOpen(mara));
  t.equal(jon.data.total_open, all.data.total_open - 1);
  t.equal(jon.data.book_url_template, `${publicBaseUrl}/book?artist=jon{&date,time_slot}`);
  t.equal(new Set([all, jon, mara].map(({ etag }) => etag)).size, 3);
  t.equal((await list({ artist: 'mara' }, { 'if-none-match': jon.etag })).status, 200);
  t.equal((await list({ artist: 'JON' }, { 'if-none-match': jon.etag })).status, 304);
  t.strictSame((await list({ artist: 'ZOË' })).data, (await list({ artist: 'zoe' })).data);
  for (const client of clients) {
    const { structuredContent, content } = await client.call('list_open_times', {
      ...{ ...range, artist: 'Jon', time_slot: '' },
    });
    t.strictSame(structuredContent, jon.data);
    t.match(content[1]?.text, /with Jon, whom hold_slot cannot choose.* send the person the link/);
    const anybody = await client.call('list_open_times', { ...range, artist: '' });
    t.strictSame(anybody.structuredContent, all.data);
    t.equal(anybody.content.length, 1);
  }
});

t.test('an artist who is unknown or hidden is refused with those who can be chosen', async (t) => {
  await changeArtistDays(context, 'ada@desk', 'zoe', { isHidden: true });
  await context.board.refresh();
  for (const [artist, told] of [
    ['Ziggy', 'must be one of "mara" (Mara), "jon" (Jon)'],
    [
      'zoe',
      'names an artist who takes no new bookings; it must be one of "mara" (Mara), "jon" (Jon)',
    ],
  ] as const) {
    const refused = await list({ artist });
    t.equal(refused.status, 400);
    t.strictSame(refused.error.details, [{ path: 'query.artist', message: told }]);
    const called = refusalOf(await clients[0]!.call('list_open_times', { ...range, artist }));
    t.strictSame(called.details, [{ path: 'arguments.artist', message: told }]);
  }
});

t.test(
  'the refusal of a hold that names an artist has the link by which the person books that artist',
  async (t) => {
    const page = `${publicBaseUrl}/book`;
    const { date, timeSlot: time_slot } = slot;
    const link = `${page}?${new URLSearchParams({ date, time_slot, artist: 'jon' }).toString()}`;
    const everybody = `Mara ${page}?artist=mara, Jon ${page}?artist=jon.`;
    for (const [members, way] of [
      [{ artist: 'JON' }, `For Jon, give the person the book_url ${link}, which holds`],
      [{ artist_name: 'Jon' }, `For Jon, give the person the book_url ${link}, which holds`],
      [{ artist: 'Ziggy' }, `Give the person the book_url of whom they want: ${everybody}`],
      [{ artist: 'Zoë' }, `Give the person the book_url of whom they want: ${everybody}`],
      [{ artist: { name: 'Jon' } }, everybody],
    ] as const) {
      for (const { message, details } of await refusals(members)) {
        t.ok(message.includes(way), message);
        t.match(
          message,
          /^Nothing is held: .* the page of the hold offers the person who else is free/,
        );
        t.notMatch(message, /remove|send it again/);
        t.match(details, [{ path: /^(?:body|arguments)\.artist/, message: /^is not taken: / }]);
      }
    }
    for (const { message } of await refusals({ artist: 'jon', email: 'nobody' })) {
      t.match(
        message,
        /\.artist is not taken: .*book_url.*\.email must be an e-mail address\. Correct/,
      );
    }
    for (const { message } of await refusals({ musician: 'jon' })) t.match(message, 'so remove');
    const held = await context.database.selectFrom('bookings').select('id').execute();
    t.strictSame(held, []);
  },
);

t.test('a link stays whose it is, also where somebody else gets that name', async (t) => {
  await changeArtist(context, 'ada@desk', 'mara', { name: 'Cleo' });
  await changeArtist(context, 'ada@desk', 'jon', { name: 'Mara' });
  await context.board.refresh();
  for (const [artist, slug] of [
    ['mara', 'mara'],
    ['Mara', 'jon'],
    ['cleo', 'mara'],
  ] as const) {
    const { data } = await list({ artist });
    t.equal(data.book_url_template, `${publicBaseUrl}/book?artist=${slug}{&date,time_slot}`);
  }
});
