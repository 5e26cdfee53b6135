import type { VNode } from 'preact';
import type { ArtistRecord } from '../../domain/studio/artists.js';
import { Field } from '../../web/field.js';
import { linkToArtist, linkToStart } from '../links.js';
import { PostForm } from '../parts.js';

interface ArtistDaysProps {
  artist: ArtistRecord;
  /** Whether without them, people could book nobody. */
  isLastShown: boolean;
  /** The days that were typed and refused; null for a new form. */
  typed: TypedDays | null;
}

/** Empty: open. */
export type TypedDays = Record<'first_day' | 'last_day', string>;

/** The forms that say when people can book an artist. */
export function ArtistDays({ artist, isLastShown, typed }: ArtistDaysProps): VNode {
  const { slug, hidden_at, is_new } = artist;
  const { first_day: firstDay, last_day: lastDay } = typed ?? artist;
  const isHidden = hidden_at !== null;
  if (is_new) {
    return (
      <>
        <h2>Not shown yet</h2>
        <p>People cannot see or book them before you have looked at their week and first day.</p>
        <p>
          <a class="button" href={linkToStart(slug)}>
            Week and first day
          </a>
        </p>
      </>
    );
  }
  return (
    <>
      {(!isLastShown || firstDay !== null || lastDay !== null) && (
        <>
          <h2>First and last day</h2>
          <PostForm
            action={`${linkToArtist(slug)}/days`}
            class="artist-form"
            hidden={{ seen: seenDays(artist) }}
          >
            <p class="muted">
              Nobody can book them before and after. You are asked about sessions after the last
              day.
            </p>
            <div class="pair">
              <DayField name="first_day" label="First day" value={firstDay} />
              <DayField name="last_day" label="Last day" value={lastDay} />
            </div>
            <button class="quiet small">Save the days</button>
          </PostForm>
        </>
      )}
      <h2>{isHidden ? 'Hidden' : 'Hide this artist'}</h2>
      {isLastShown ? (
        <p class="muted">Nobody else is shown, so they cannot be hidden.</p>
      ) : (
        <PostForm
          action={`${linkToArtist(slug)}/hidden`}
          hidden={{ hidden: isHidden ? 'no' : 'yes' }}
        >
          <p class="muted">
            {isHidden
              ? 'People cannot see or book them.'
              : 'They then take no new bookings. You are asked about the sessions to come.'}
          </p>
          <button class="quiet small">{isHidden ? 'Show again' : 'Hide'}</button>
        </PostForm>
      )}
    </>
  );
}

function DayField(props: { name: string; label: string; value: string | null }): VNode {
  return <Field {...props} type="date" optional value={props.value ?? ''} />;
}

/** The days as the page showed them. */
export function seenDays({ first_day, last_day }: ArtistRecord): string {
  return `${first_day ?? ''} ${last_day ?? ''}`;
}
