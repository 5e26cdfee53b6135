/** Whose the open times are, where the studio has several artists. */
import { callTool } from './tools.js';

/** @typedef {import('./tools.js').Availability} Availability */

/** Null until they are read. */
/** @type {{ name: string, book_url: string }[] | null} */
let artists = null;

/** Resolves with whom a person can choose: nobody where that cannot be read. */
export async function readArtists() {
  if (artists === null) {
    const answer = await callTool('get_studio_info', {});
    if ('studio' in answer) artists = answer.studio.artists ?? [];
  }
  return artists ?? [];
}

/**
 * Whether a person can choose an artist.
 * @param {Availability} times
 */
export function isOfArtists({ book_url_template: template = '' }) {
  return /[?,]artist[=}]/.test(template);
}

/**
 * The page of the artist to whom these times are narrowed; null where they are anybody's.
 * @param {Availability} times
 */
export function artistPage({ book_url_template: template = '' }) {
  const [page = ''] = template.split('{');
  return page.includes('?artist=') ? page : null;
}

/** @param {string} page */
export function artistWord(page) {
  return new URL(page).searchParams.get('artist') ?? '';
}

/**
 * The name, or, until it is read, the word of the page.
 * @param {string} page
 */
export function artistName(page) {
  return artists?.find(({ book_url: url }) => url === page)?.name ?? artistWord(page);
}
