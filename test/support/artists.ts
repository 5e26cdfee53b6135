import type { Context } from '../../src/context.js';
import {
  addArtist,
  changeArtist,
  type ArtistRecord,
  readArtists,
} from '../../src/domain/artists.js';

const names = ['Mara', 'Jon', 'Zoë', 'Ada', 'Ben', 'Cleo', 'Dov', 'Eva'];

/** Gives the studio as many artists; with one, it stays as it is. */
export async function addArtists(context: Context, count: number): Promise<ArtistRecord[]> {
  const actor = 'test';
  if (count > 1) {
    await changeArtist(context, actor, 'artist', { name: names[0]! });
    for (const name of names.slice(1, count)) {
      await addArtist(context, actor, { name, about: '', email: '' });
    }
    await context.board.refresh();
  }
  return readArtists(context);
}
