import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { type ArtistRowKind, ownsRows } from '../access/console-sessions.js';
import type { DomainServices } from '../domain/deps.js';
import { ServiceError } from '../errors.js';
import { isUuid } from '../platform/uuid.js';
import type { Artist } from '../schedule/artists.js';

/** Whom a route concerns: the owner, also an artist with rows of their own, or who is not signed in. */
export type Concern = 'owner' | 'artist' | 'nobody';

declare module 'fastify' {
  interface FastifyRequest {
    /** The artist whose session it is; null: the owner's. */
    consoleArtist: Artist | null;
  }
  interface FastifyContextConfig {
    concerns?: Concern;
  }
}

/** The rows that `:id` names in the addresses of artists. */
const rowsOf: Readonly<Record<string, ArtistRowKind>> = {
  '/console/bookings/:id': 'booking',
  // A client is named by one of their bookings.
  '/console/clients/:id': 'booking',
  '/console/mail/:id': 'mail',
  '/console/closures/:id': 'closure',
  '/console/calendars/feeds/:id': 'feed',
  '/console/sign-ins/sessions/:id': 'session',
  '/console/sign-ins/passkeys/:id': 'passkey',
};

function rowKindOf(url: string): ArtistRowKind | undefined {
  return rowsOf[url.slice(0, url.indexOf('/:id') + '/:id'.length)];
}

/** The routes of the scope concern whom they name themselves, or else these. */
export function concern(scope: FastifyInstance, concerns: Concern): void {
  scope.addHook('onRoute', (route) => {
    route.config = { concerns, ...route.config };
  });
}

/** Fails the start if a route does not say whom it concerns, or an artist's has rows of unknown kind. */
export function expectConcerns(scope: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  scope.addHook('onRoute', (route) => void routes.push(route));
  scope.addHook('onReady', async () => {
    for (const { method, url, config } of routes) {
      const isKnown = /^[^:*]*$/.test(url) || rowKindOf(url) !== undefined;
      const hasOthers = /[:*]/.test(url.replace('/:id', ''));
      if (
        config?.concerns === undefined ||
        (config.concerns === 'artist' && (!isKnown || hasOthers))
      ) {
        throw new Error(`${String(method)} ${url} does not say whom it concerns`);
      }
    }
  });
}

/** Passes requests of an artist's session only to their own pages and rows: others do not exist. */
export async function admitArtist(
  context: DomainServices,
  request: FastifyRequest,
  artistId: number,
): Promise<void> {
  const { config, url = '' } = request.routeOptions;
  const artist = (await context.board.read()).artists.find(({ id }) => id === artistId);
  if (artist === undefined) throw new ServiceError('signed_out');
  request.consoleArtist = artist;
  if (config.concerns !== 'artist') throw new ServiceError('not_found');
  const kind = rowKindOf(url);
  if (kind === undefined) return;
  const { id = '' } = request.params as { id?: string };
  if (!isUuid(id) || !(await ownsRows(context, artistId, kind, [id]))) {
    throw new ServiceError('not_found');
  }
}

/** Throws `not_found` if a form of an artist names bookings of others. */
export async function expectOwnBookings(
  context: DomainServices,
  { consoleArtist }: FastifyRequest,
  ids: readonly string[],
): Promise<void> {
  if (consoleArtist === null) return;
  if (!(await ownsRows(context, consoleArtist.id, 'booking', ids))) {
    throw new ServiceError('not_found');
  }
}
