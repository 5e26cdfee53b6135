/** Whose the open times are, where the studio has several artists. */
import { callTool } from './tools.js';

/** @typedef {import('./tools.js').Availability} Availability */

/** @type {{ name: string, book_url: string }[]} */
let artists = [];

/** Resolves with whom a person can choose: nobody where that cannot be read. */
export async function readArtists() {
  if (artists.length > 0) return artists;
  const answer = await callTool('get_studio_info', {});
  artists = ('studio' in answer && answer.studio.artists) || [];
  return artists;
}

/** @param {Availability} times */
export function hasArtists({ book_url_template: template = '' }) {
  return /[?,]artist[=}]/.test(template);
}

/**
 * The page of the artist to whom these times are narrowed, and the name, or, until it is read, the word
 * of the page; null where they are anybody's.
 * @param {Availability} times
 */
export function artistOf({ book_url_template: template = '' }) {
  const [, page = '', word = ''] = /^(.*\?artist=([^{]*))/.exec(template) ?? [];
  if (page === '') return null;
  return { page, name: artists.find(({ book_url: url }) => url === page)?.name ?? word };
}
