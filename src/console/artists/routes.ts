import type { FastifyReply } from 'fastify';
import type { DomainServices } from '../../domain/deps.js';
import { changeArtistWeek } from '../../domain/studio/artist-weeks.js';
import {
  addArtist,
  type ArtistRecord,
  changeArtist,
  maxArtists,
  orderArtist,
  readArtistBookings,
  readArtists,
} from '../../domain/studio/artists.js';
import { readStudioWeek } from '../../domain/studio/week.js';
import { ServiceError } from '../../errors.js';
import { button, count, form, type PageScope } from '../../web/forms.js';
import { seeOther } from '../../web/send-page.js';
import { type Outcome, showsDone } from '../console-page.js';
import { saveArtistDays } from '../hours/save-week.js';
import { readDays, weekFields } from '../hours/week-fields.js';
import { artistsPath, linkToArtist, linkToStart } from '../links.js';
import { actorOf } from '../session.js';
import {
  artistInPath,
  ArtistPage,
  type ArtistPageProps,
  artistSchema,
  findRecord,
  readArtistForm,
} from './artist-page.js';
import { addArtistSchema, ArtistsPage, readTexts, type RefusedArtist } from './artists-page.js';
import { registerArtistDays, type ShownDays } from './day-routes.js';
import { registerStart } from './start.js';

const messages = {
  ordered: 'Moved.',
  saved: 'Saved. People see it now.',
  unchanged: 'Nothing was changed.',
  started: 'Saved. People can book them from their first day on.',
  days: 'Saved.',
  hidden: 'Hidden. They take no new bookings.',
  shown: 'Shown. People can book them now.',
  week: 'Saved. People can book these sessions.',
  'studio-week': 'They work the studio’s week again.',
};

const hasMistakes = 'Nothing was saved. What is wrong is marked below.';
const overtaken =
  'The same has changed since you opened this page. Nothing was saved; what you typed is below.';
const troubles = {
  first_unnamed: 'Nobody was added: the first artist has no name yet. Give it as well.',
  unagreed: 'Nobody was added: tick that you know there is no way back.',
  too_many: `Nobody was added: there can be ${maxArtists} artists at most.`,
};

type ShownArtist = ShownDays & Partial<Pick<ArtistPageProps, 'refused' | 'refusedWeek'>>;

/** `/console/artists/…`: who works in the studio, in which order, and when. */
export function registerArtists(scope: PageScope, context: DomainServices): void {
  scope.get(artistsPath, { schema: showsDone }, (_request, reply) => showAll(reply));

  scope.post(artistsPath, { schema: addArtistSchema }, async (request, reply) => {
    const texts = readTexts(request.body);
    const first = request.body.first ?? null;
    const isAgreed = request.body.agreed === 'yes';
    const agreement = { firstName: first, isAgreed };
    const added = await addArtist(context, actorOf(request), texts, agreement);
    if (added.outcome === 'saved') {
      return seeOther(reply, `${linkToStart(added.artist.slug)}?done=added`);
    }
    const typed = { ...texts, first: first?.trim() ?? '' };
    if (added.outcome !== 'refused') {
      return showAll(reply, { trouble: troubles[added.outcome], refused: { typed, mistakes: {} } });
    }
    const refused = { typed, mistakes: added.mistakes };
    return showAll(reply, { status: 400, trouble: hasMistakes, refused });
  });

  const ofArtist = { ...artistInPath, ...showsDone };
  scope.get('/console/artists/:slug', { schema: ofArtist }, async ({ params }, reply) =>
    showOne(reply, await findRecord(context, params.slug)),
  );

  const texts = { ...artistInPath, ...artistSchema };
  scope.post('/console/artists/:slug', { schema: texts }, async (request, reply) => {
    const artist = await findRecord(context, request.params.slug);
    const { typed, changes, overtaken: mistakes } = readArtistForm(request.body, artist);
    if (Object.keys(mistakes).length > 0) {
      return showOne(reply, artist, { trouble: overtaken, refused: { typed, mistakes } });
    }
    if (Object.keys(changes).length === 0) return after(reply, artist, 'unchanged');
    const changed = await changeArtist(context, actorOf(request), artist.slug, changes);
    if (changed.outcome === 'refused') {
      const refused = { typed, mistakes: changed.mistakes };
      return showOne(reply, artist, { status: 400, trouble: hasMistakes, refused });
    }
    if (changed.outcome !== 'saved') throw new ServiceError('not_found');
    return after(reply, changed.artist, 'saved');
  });

  const week = { ...artistInPath, ...form(weekFields) };
  scope.post('/console/artists/:slug/week', { schema: week }, async (request, reply) => {
    const artist = await findRecord(context, request.params.slug);
    const saved = await saveArtistDays(context, actorOf(request), {
      ...{ artist, typed: readDays(request.body), agreed: request.body.agreed },
      studio: await readStudioWeek(context),
    });
    if (saved === 'saved') return after(reply, artist, 'week');
    if (saved === 'unchanged') return after(reply, artist, saved);
    const { status, trouble } = saved;
    return showOne(reply, artist, { status, trouble, refusedWeek: saved });
  });

  const pressed = { ...artistInPath, ...button };
  scope.post('/console/artists/:slug/studio-week', { schema: pressed }, async (request, reply) => {
    const artist = await findRecord(context, request.params.slug);
    await changeArtistWeek(context, actorOf(request), artist.slug, null);
    return after(reply, artist, 'studio-week');
  });

  // Placing is idempotent.
  const placing = { ...artistInPath, ...form({ place: count }) };
  scope.post('/console/artists/:slug/place', { schema: placing }, async (request, reply) => {
    const { slug } = await findRecord(context, request.params.slug);
    await orderArtist(context, actorOf(request), slug, Math.max(1, request.body.place));
    return seeOther(reply, `${artistsPath}?done=ordered`);
  });

  registerArtistDays(scope, context, showOne);
  registerStart(scope, context);

  function after(
    reply: FastifyReply,
    { slug }: ArtistRecord,
    done: keyof typeof messages,
  ): FastifyReply {
    return seeOther(reply, `${linkToArtist(slug)}?done=${done}`);
  }

  async function showAll(
    reply: FastifyReply,
    { refused = null, ...outcome }: Outcome & { refused?: RefusedArtist | null } = {},
  ): Promise<FastifyReply> {
    const artists = [];
    for (const artist of await readArtists(context)) {
      const isHidden = artist.hidden_at !== null;
      const upcoming = isHidden ? (await readArtistBookings(context, artist)).upcoming : [];
      artists.push({ ...artist, stillBooked: upcoming.length });
    }
    const children = ArtistsPage({ artists, refused });
    return reply.showPage({ ...outcome, section: 'studio', title: 'Artists', messages, children });
  }

  async function showOne(
    reply: FastifyReply,
    artist: ArtistRecord,
    { refused = null, typedDays, refusedWeek = {}, ...outcome }: ShownArtist = {},
  ): Promise<FastifyReply> {
    const [all, studioWeek, bookings] = await Promise.all([
      readArtists(context),
      readStudioWeek(context),
      readArtistBookings(context, artist),
    ]);
    const shown = { refused, typedDays: typedDays ?? null, refusedWeek };
    const isLastShown = all.every(({ id, hidden_at }) => id === artist.id || hidden_at !== null);
    return reply.showPage({
      ...outcome,
      section: 'studio',
      title: artist.name === '' ? 'The artist' : artist.name,
      messages,
      children: ArtistPage({ artist, studioWeek, isLastShown, bookings, ...shown }),
    });
  }
}
