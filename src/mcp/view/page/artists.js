/** The artists whom a person can choose, and the one whose open times are shown. */
import { callTool } from './tools.js';

/** @typedef {import('./tools.js').Availability} Availability */

/** @type {{ name: string, book_url: string }[]} */
let artists = [];

/** Resolves with the artists whom a person can choose; empty if they cannot be read. */
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
 * The artist to whom these times are narrowed: the address of their page, and their name, or, until it is
 * read, the word in that address. Null for times of all artists.
 * @param {Availability} times
 */
export function artistOf({ book_url_template: template = '' }) {
  const [, page = '', word = ''] = /^(.*\?artist=([^{]*))/.exec(template) ?? [];
  if (page === '') return null;
  return { page, name: artists.find(({ book_url: url }) => url === page)?.name ?? word };
}
