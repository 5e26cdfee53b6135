import { type Static, Type } from '@sinclair/typebox';
import type { VNode } from 'preact';
import {
  type ArtistMistakes,
  type ArtistRecord,
  type ArtistTexts,
  maxAboutLength,
  maxArtists,
} from '../../domain/studio/artists.js';
import { Field } from '../../web/field.js';
import { anyText, choice, form } from '../../web/forms.js';
import { artistsPath, linkToArtist, linkToStart } from '../links.js';
import { longDate } from '../moment.js';
import { isolated, PostForm, Unseen } from '../parts.js';

export interface ArtistsPageProps {
  /** The artists in the studio's order, with the number of sessions to come of those who are hidden. */
  artists: readonly (ArtistRecord & { stillBooked: number })[];
  refused: RefusedArtist | null;
}

/** A form of texts that was refused. `first`: the name of the first artist, where they have none yet. */
export interface RefusedArtist {
  typed: ArtistTexts & { first?: string };
  mistakes: ArtistMistakes;
}

/** The artists in their order, and the form that adds one. */
export function ArtistsPage({ artists, refused }: ArtistsPageProps): VNode {
  const isFirst = artists.length === 1;
  return (
    <>
      {isFirst ? (
        <p class="lead">
          The studio has one artist, whom nobody sees by name. With a second one, each time can be
          booked once for each artist, and people see the names and can choose. What is booked, and
          the calendars that you watch, are then the first one’s. Artists can be hidden, but not
          removed.
        </p>
      ) : (
        <>
          <p class="lead muted">
            Each time can be booked once for each artist who works then. People see the names, in
            this order; who does not choose gets the one with the fewest sessions around that day.
          </p>
          <ol class="rows artists">
            {artists.map((artist, index) => (
              <ArtistRow key={artist.id} artist={artist} place={index + 1} of={artists.length} />
            ))}
          </ol>
        </>
      )}
      {artists.length < maxArtists || refused !== null ? (
        <section aria-labelledby="add">
          <h2 id="add">{isFirst ? 'Add a second artist' : 'Add an artist'}</h2>
          <AddForm isSecond={isFirst} isFirstNamed={artists[0]?.name !== ''} refused={refused} />
        </section>
      ) : (
        <p class="muted">There can be {maxArtists} artists at most.</p>
      )}
    </>
  );
}

interface ArtistRowProps {
  artist: ArtistsPageProps['artists'][number];
  place: number;
  of: number;
}

function ArtistRow({ artist, place, of }: ArtistRowProps): VNode {
  const { slug, name, about, email, week, hidden_at, stillBooked } = artist;
  const { first_day, last_day, is_new } = artist;
  const move = (to: number, label: string) => (
    <PostForm action={`${linkToArtist(slug)}/place`} class="inline" hidden={{ place: to }}>
      <button class="quiet small">
        {label}
        <Unseen>
          : <bdi>{name}</bdi>
        </Unseen>
      </button>
    </PostForm>
  );
  return (
    <li class={hidden_at === null ? 'live' : 'over'}>
      <div>
        <p>
          <a class="named" href={linkToArtist(slug)}>
            <bdi>{name}</bdi>
          </a>
        </p>
        {about !== '' && <p class="fine">{isolated(about)}</p>}
      </div>
      <div>
        {is_new && (
          <p>
            <a href={linkToStart(slug)}>
              Not shown yet<Unseen>: {name}</Unseen>
            </a>
          </p>
        )}
        {first_day !== null && <p class="fine">From {longDate(first_day)} on</p>}
        {last_day !== null && <p class="fine">Until {longDate(last_day)}</p>}
        {hidden_at !== null && !is_new && (
          <p>
            Hidden
            {stillBooked > 0 && `, ${stillBooked} still booked`}
          </p>
        )}
        <p>{week === null ? 'The studio’s week' : 'A week of their own'}</p>
        {email !== null && (
          <p class="fine">
            Mails go to <bdi>{email}</bdi> too
          </p>
        )}
      </div>
      <div class="acts">
        {place > 1 && move(place - 1, 'Up')}
        {place < of && move(place + 1, 'Down')}
      </div>
    </li>
  );
}

interface AddFormProps {
  isSecond: boolean;
  isFirstNamed: boolean;
  refused: RefusedArtist | null;
}

function AddForm({ isSecond, isFirstNamed, refused }: AddFormProps): VNode {
  const { typed, mistakes } = refused ?? {
    typed: { name: '', about: '', email: '' },
    mistakes: {},
  };
  return (
    <PostForm action={artistsPath} class="artist-form">
      {!isFirstNamed && (
        <Field
          name="first"
          label="Name of the first artist"
          hint="Who works here now: all that is booked is with them."
          required
          value={typed.first ?? ''}
          mistake={mistakes.first}
        />
      )}
      <TextFields
        label={isFirstNamed ? 'Name' : 'Name of the second artist'}
        typed={typed}
        mistakes={mistakes}
      />
      {isSecond && (
        <label class="tick">
          <input type="checkbox" name="agreed" value="yes" required />I know that there is no way
          back: an artist can be hidden, not removed
        </label>
      )}
      <button>Add this artist</button>
    </PostForm>
  );
}

interface TextFieldsProps {
  /** The label of the name's field. */
  label?: string;
  typed: ArtistTexts;
  mistakes: RefusedArtist['mistakes'];
}

export function TextFields({ label = 'Name', typed, mistakes }: TextFieldsProps): VNode {
  return (
    <>
      <Field name="name" label={label} required value={typed.name} mistake={mistakes.name} />
      <Field
        name="about"
        label="A line about their work"
        hint={`People read it where they choose. At most ${maxAboutLength} characters.`}
        optional
        value={typed.about}
        mistake={mistakes.about}
      />
      <Field
        name="email"
        label="E-mail address"
        type="email"
        hint="What the studio is mailed about their sessions goes there too."
        optional
        value={typed.email}
        mistake={mistakes.email}
      />
    </>
  );
}

export const textFields = { name: anyText, about: anyText, email: anyText };

export const addArtistSchema = form({
  ...textFields,
  first: Type.Optional(anyText),
  agreed: Type.Optional(choice('yes')),
});

export function readTexts({
  name,
  about,
  email,
}: Static<typeof addArtistSchema.body>): ArtistTexts {
  return { name: name.trim(), about: about.trim(), email: email.trim() };
}
