import { type Static, Type } from '@sinclair/typebox';
import type { VNode } from 'preact';
import type { DayRow } from '../../database/rows/results.js';
import type { BookingRow } from '../../database/rows/schema.js';
import type { ArtistDay } from '../../domain/studio/artist-weeks.js';
import type { ArtistRecord, ArtistTexts } from '../../domain/studio/artists.js';
import { isSameText } from '../../domain/studio/fields.js';
import { countingWeek } from '../../domain/studio/own-weeks.js';
import { unbroken } from '../../schedule/words.js';
import { form, text } from '../../web/forms.js';
import { BookingLines } from '../hours/closure-parts.js';
import {
  mistakesOf,
  OwnDays,
  ownDaysFields,
  type OwnDay,
  type TypedOwnDay,
} from '../hours/own-days.js';
import { artistsPath, linkToArtist, weeksPath } from '../links.js';
import { PostForm } from '../parts.js';
import { readTexts, type RefusedArtist, TextFields, textFields } from './artists-page.js';
import { ArtistDays, type TypedDays } from './days.js';

export interface ArtistPageProps {
  artist: ArtistRecord;
  studioWeek: readonly DayRow[];
  /** Whether without them, people could book nobody. */
  isLastShown: boolean;
  /** Their bookings to come, and those outside their week. */
  bookings: { upcoming: readonly BookingRow[]; outside: readonly BookingRow[] };
  /** The form of the texts that was refused; null for a new one. */
  refused: RefusedArtist | null;
  typedDays: TypedDays | null;
  /** The week that was typed and refused; null for a new one. */
  refusedWeek: readonly TypedOwnDay[] | null;
  /** The new sessions at which the studio is closed; empty if there are none. */
  closed: string;
}

/** An artist: texts, week, whether they are shown, and the bookings outside. */
export function ArtistPage(props: ArtistPageProps): VNode {
  const { artist, studioWeek, isLastShown, bookings, refused, typedDays, refusedWeek, closed } =
    props;
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
        <PostForm
          action={`${linkToArtist(slug)}/week`}
          class="week-form"
          hidden={{ seen: seenWeek(artist), agreed: closed }}
        >
          <OwnDays
            days={shownDays(studioWeek, artist)}
            typed={refusedWeek}
            usual="as the studio"
            mistakes={mistakesOf(refusedWeek ?? [])}
          />
          {closed !== '' && (
            <p class="mistake">
              The studio is closed on {unbroken(closed)}. Saving again lets people book them then.
            </p>
          )}
          <button>Save their week</button>
        </PostForm>
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

/** The days that count for an artist, with the studio's where they have none of their own. */
function shownDays(studioWeek: readonly DayRow[], artist: ArtistRecord): OwnDay[] {
  return countingWeek(studioWeek, artist).map(({ weekday, opens, closes, sessions, isOwn }) => {
    const hours = isOwn ? { opens: opens ?? '', closes: closes ?? '' } : { opens: '', closes: '' };
    return { weekday, ...hours, sessions, isUsual: !isOwn };
  });
}

/** The week as the page showed it. */
export function seenWeek({ week }: ArtistRecord): string {
  return JSON.stringify(week);
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

export const artistWeekSchema = form({ seen: text, agreed: text, ...ownDaysFields });

/** The week as it was typed: days as the studio's, and their own. */
export function ownWeek(typed: readonly TypedOwnDay[]): ArtistDay[] {
  return typed.map(({ weekday, sessions, hours, isUsual }) =>
    isUsual ? { weekday, sessions: null } : { weekday, sessions, hours },
  );
}

export const artistInPath = { params: Type.Object({ slug: text }) };
