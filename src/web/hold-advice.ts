import type { CalendarServices } from '../board/services.js';
import { ServiceError } from '../errors.js';
import { artistOfLink, choosableArtists } from '../schedule/artists.js';
import { bookPath, linkToBook } from './book-link.js';
import { readSlot } from './forms.js';

/** The names of unknown members that mean an artist: no member of a hold request matches. */
const namesArtist = /artist/iu;

/**
 * A refusal of a hold request with advice. At a limit: the link by which the person holds the time. It is
 * in every such refusal, so that none reveals whose limit is reached.
 */
export async function adviseOnHold(
  context: Pick<CalendarServices, 'board' | 'config'>,
  refusal: ServiceError,
  request: unknown,
): Promise<ServiceError> {
  if (refusal.code !== 'rate_limited') return adviseOnArtist(context, refusal, request);
  const slot = readSlot(request as Record<string, unknown>);
  const link = `${context.config.publicBaseUrl}${slot === null ? bookPath : linkToBook(slot)}`;
  const way = `Or give the person ${link}, where they hold the time by themselves, if their own limits allow it; you get no id, so ask them.`;
  return new ServiceError(refusal.code, { ...refusal, message: `${refusal.message} ${way}` });
}

/**
 * The refusal of a hold request that names one of several artists, with the ways to one: the request
 * without the name would hold the time with somebody else. Any other refusal stays, and so do all while
 * the database is lost.
 */
async function adviseOnArtist(
  { board, config }: Pick<CalendarServices, 'board' | 'config'>,
  refusal: ServiceError,
  request: unknown,
): Promise<ServiceError> {
  const { details = [] } = refusal;
  const isNamed = details.some(({ path }) => namesArtist.test(path));
  if (!isNamed || !board.isFresh()) return refusal;
  const state = await board.read();
  const artists = choosableArtists(state);
  if (artists.length === 0) return refusal;

  const members = request as Record<string, unknown>;
  const word = Object.entries(members).find(([name]) => namesArtist.test(name))?.[1];
  const asked = artistOfLink(state, word);
  const slot = readSlot(members);
  const page = `${config.publicBaseUrl}${bookPath}`;
  const urls = artists.map(({ name, slug }) => `${name} ${page}?artist=${slug}`).join(', ');
  const way =
    asked === null || asked.isHidden
      ? `Give the person the book_url of whom they want: ${urls}`
      : `For ${asked.name}, give the person the book_url ${slot === null ? `${page}?artist=${asked.slug}` : `${config.publicBaseUrl}${linkToBook(slot, asked)}`}, which holds the time with ${asked.name}, if ${asked.name} is free then, when they press`;
  const advice = `a hold cannot choose the artist. ${way}. Or hold without an artist: the session is with whoever is free, and the page of the hold offers the person who else is free then`;
  const told = details.map((detail) =>
    namesArtist.test(detail.path) ? { ...detail, message: `is not taken: ${advice}` } : detail,
  );
  // Beside other mistakes, the message is made of all details.
  const message = details.length === 1 ? { message: `Nothing is held: ${advice}.` } : {};
  return new ServiceError(refusal.code, { details: told, ...message });
}
