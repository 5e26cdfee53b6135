import type { VNode } from 'preact';
import { useLanguage } from '../locales/context.js';
import type { Artist } from '../schedule/artists.js';

export interface ArtistLinksProps {
  /** Empty where the studio has one. */
  artists: readonly Artist[];
  /** Who is chosen; null: all of them; undefined: nobody yet. */
  shown: Artist | null | undefined;
  /** The word for all of them. */
  all: string;
  linkTo: (artist: Artist | null) => string;
  /** The window that they open in, where it is not that of the page's other links. */
  target?: '_self';
}

/** Links to the same page for all artists, and for each; nothing where the studio has one. */
export function ArtistLinks(props: ArtistLinksProps): VNode | null {
  const { artists, shown, all, linkTo, target } = props;
  const { t } = useLanguage();
  if (artists.length === 0) return null;
  return (
    <nav class="artist-nav" aria-label={t('open_times.artists')}>
      <ul>
        {[null, ...artists].map((artist) => (
          <li key={artist?.slug ?? ''}>
            <a
              href={linkTo(artist)}
              target={target}
              aria-current={shown !== undefined && artist?.id === shown?.id ? 'true' : undefined}
            >
              <bdi>{artist?.name ?? all}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
