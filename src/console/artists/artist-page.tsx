import { type Static, Type } from '@sinclair/typebox';
import type { VNode } from 'preact';
import type { BookingRow } from '../../database/rows/schema.js';
import type { ArtistRecord, ArtistTexts, ArtistWeek } from '../../domain/studio/artists.js';
import { isSameText } from '../../domain/studio/fields.js';
import { weekdayName } from '../../schedule/dates.js';
import { unbroken } from '../../schedule/words.js';
import { form, text } from '../../web/forms.js';
import { BookingLines } from '../hours/closure-parts.js';
import { daily, knownSessions, SessionTicks, ticks, weekdays } from '../hours/week.js';
import { artistsPath, linkToArtist } from '../links.js';
import { PostForm } from '../parts.js';
import { readTexts, type RefusedArtist, TextFields, textFields } from './artists-page.js';
import { ArtistDays, type TypedDays } from './days.js';

/** The sessions of the seven weekdays. */
type Week = NonNullable<ArtistWeek>;

export interface ArtistPageProps {
  artist: ArtistRecord;
  studioWeek: Week;
  /** Whether without them, people could book nobody. */
  isLastShown: boolean;
  /** Their bookings to come, and those outside their week. */
  bookings: { upcoming: readonly BookingRow[]; outside: readonly BookingRow[] };
  /** The form of the texts that was refused; null for a new one. */
  refused: RefusedArtist | null;
  typedDays: TypedDays | null;
  /** The week that was typed and refused; null for a new one. */
  refusedWeek: Week | null;
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
            ? 'They work the studio’s week. Save another to give them one of their own.'
            : 'They have a week of their own, whatever the studio’s is.'}{' '}
          Bookings that exist stay. Opened days are for everybody.
        </p>
        <PostForm
          action={`${linkToArtist(slug)}/week`}
          class="week-form"
          hidden={{ seen: seenWeek(artist), agreed: closed }}
        >
          <ol>
            {(refusedWeek ?? week ?? studioWeek).map(({ weekday, sessions }) => (
              <li key={weekday}>
                <div role="group" aria-labelledby={`day-${weekday}`} class="week-day">
                  <p class="day-name" id={`day-${weekday}`}>
                    {weekdayName(weekday)}
                  </p>
                  <SessionTicks name={`sessions-${weekday}`} chosen={sessions} />
                </div>
              </li>
            ))}
          </ol>
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
          <a href={artistsPath}>All artists</a>
        </p>
      </section>
    </div>
  );
}

type SeenTexts = Record<`seen_${keyof ArtistTexts}`, string>;

function seenTexts({ name, about, email }: ArtistRecord): SeenTexts {
  return { seen_name: name, seen_about: about, seen_email: email ?? '' };
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

export const artistWeekSchema = form({ seen: text, agreed: text, ...daily('sessions', ticks) });

export function readArtistWeek(posted: Static<typeof artistWeekSchema.body>): Week {
  return weekdays.map((weekday) => ({
    weekday,
    sessions: knownSessions([posted[`sessions-${weekday}`]].flat()),
  }));
}

export const artistInPath = { params: Type.Object({ slug: text }) };
