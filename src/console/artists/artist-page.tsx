import { type Static, Type } from '@sinclair/typebox';
import type { VNode } from 'preact';
import type { BookingRow } from '../../database/rows/schema.js';
import type { DomainServices } from '../../domain/deps.js';
import { type ArtistRecord, type ArtistTexts, readArtists } from '../../domain/studio/artists.js';
import { isSameText } from '../../domain/studio/fields.js';
import type { StudioWeek } from '../../domain/studio/week.js';
import { ServiceError } from '../../errors.js';
import { form, text } from '../../web/forms.js';
import { BookingLines } from '../hours/closure-parts.js';
import { type RefusedWeek, shownDays } from '../hours/save-week.js';
import { WeekForm } from '../hours/week.js';
import { artistsPath, linkToArtist, weeksPath } from '../links.js';
import { PostForm } from '../parts.js';
import { readTexts, type RefusedArtist, TextFields, textFields } from './artists-page.js';
import { ArtistDays, type TypedDays } from './days.js';

export interface ArtistPageProps {
  artist: ArtistRecord;
  studioWeek: StudioWeek;
  /** Whether without them, people could book nobody. */
  isLastShown: boolean;
  /** Their bookings to come, and those outside their week. */
  bookings: { upcoming: readonly BookingRow[]; outside: readonly BookingRow[] };
  /** The form of the texts that was refused; null for a new one. */
  refused: RefusedArtist | null;
  typedDays: TypedDays | null;
  refusedWeek: RefusedWeek;
}

/** An artist: texts, week, whether they are shown, and the bookings outside. */
export function ArtistPage(props: ArtistPageProps): VNode {
  const { artist, studioWeek, isLastShown, bookings, refused, typedDays, refusedWeek } = props;
  const { slug, name, about, email, week, hidden_at } = artist;
  const present = { name, about, email: email ?? '' };
  const isHidden = hidden_at !== null;
  const staying = isHidden ? bookings.upcoming : bookings.outside;
  return (
    <div class="studio">
      <section aria-labelledby="texts">
        <h2 id="texts">What people see</h2>
        <PostForm action={linkToArtist(slug)} class="artist-form" hidden={seenTexts(artist)}>
          <TextFields typed={refused?.typed ?? present} mistakes={refused?.mistakes ?? {}} />
          <button>Save</button>
        </PostForm>
        <ArtistDays artist={artist} isLastShown={isLastShown} typed={typedDays} />
        {staying.length > 0 && (
          <>
            <h2>{isHidden ? 'Still booked' : 'Booked outside their week'}</h2>
            <BookingLines bookings={staying} canMove />
          </>
        )}
      </section>
      <section aria-labelledby="week">
        <h2 id="week">Week</h2>
        <p class="muted">
          {week === null
            ? 'They work the studio’s week.'
            : 'The days that are not as the studio’s stay theirs, whatever the studio’s are.'}{' '}
          A day that you change becomes theirs. Without times it has the studio’s hours. Bookings
          that exist stay. Opened days are for everybody.
        </p>
        <WeekForm
          {...refusedWeek}
          action={`${linkToArtist(slug)}/week`}
          days={shownDays(studioWeek, artist)}
          usual="as the studio"
          off="not here"
          buttons={<button>Save their week</button>}
        />
        {week !== null && (
          <PostForm action={`${linkToArtist(slug)}/studio-week`} class="inline">
            <button class="quiet small">The studio’s week again</button>
          </PostForm>
        )}
        <p>
          <a href={artistsPath}>All artists</a> · <a href={weeksPath}>All weeks</a>
        </p>
      </section>
    </div>
  );
}

type SeenTexts = Record<`seen_${keyof ArtistTexts}`, string>;

function seenTexts({ name, about, email }: ArtistRecord): SeenTexts {
  return { seen_name: name, seen_about: about, seen_email: email ?? '' };
}

export const artistSchema = form({
  ...textFields,
  seen_name: text,
  seen_about: text,
  seen_email: text,
});

const members = ['name', 'about', 'email'] as const;

/** The typed texts, those that differ from what the page showed, and those changed meanwhile. */
export function readArtistForm(posted: Static<typeof artistSchema.body>, artist: ArtistRecord) {
  const typed = readTexts(posted);
  const changes: Partial<ArtistTexts> = {};
  const overtaken: RefusedArtist['mistakes'] = {};
  const present = seenTexts(artist);
  for (const member of members) {
    const seen = `seen_${member}` as const;
    if (isSameText(typed[member], posted[seen])) {
      typed[member] = present[seen];
      continue;
    }
    changes[member] = typed[member];
    if (present[seen] !== posted[seen]) {
      overtaken[member] = `Changed meanwhile to: ${present[seen]} – Saving again replaces that.`;
    }
  }
  return { typed, changes, overtaken };
}

export const artistInPath = { params: Type.Object({ slug: text }) };

/** The artist of a slug, hidden or not. Throws `not_found`. */
export async function findRecord(
  context: Pick<DomainServices, 'database'>,
  slug: string,
): Promise<ArtistRecord> {
  const artist = (await readArtists(context)).find((each) => each.slug === slug);
  if (artist === undefined) throw new ServiceError('not_found');
  return artist;
}
