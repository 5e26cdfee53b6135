import type { VNode } from 'preact';
import type { CalendarFeed } from '../../domain/studio/calendar-feeds.js';
import { Field } from '../../web/field.js';
import { Whose, WhoseField } from '../artist-choice.js';
import { feedsPath } from '../links.js';
import { Moment } from '../moment.js';
import { FoldedForm, PostForm, Unseen } from '../parts.js';

/** The address of a feed that has just been made. */
export interface ShownAddress {
  feed: CalendarFeed;
  /** The address with the token: only in the response to the form that made it. */
  url: string;
}

/** A form that was refused. */
export interface RefusedFeed {
  typed: { label: string; hasDetails: boolean; artist?: string | undefined };
  /** The mistake in the label. */
  mistake: string | null;
}

export interface FeedsProps {
  feeds: readonly CalendarFeed[];
  /** The form that was refused; null for a new one. */
  refused: RefusedFeed | null;
}

/** The addresses at which calendar programs read the bookings, and the form that adds one. */
export function Feeds({ feeds, refused }: FeedsProps): VNode {
  return (
    <section aria-labelledby="feeds">
      <h2 id="feeds">Addresses for calendars</h2>
      <p class="muted">
        A calendar program that subscribes to an address shows your bookings and closures. Anyone
        who has the address can read them, so give each device its own.
      </p>
      {feeds.length === 0 ? (
        <FeedForm refused={refused} />
      ) : (
        <>
          <ul class="rows feeds">
            {feeds.map((feed) => (
              <FeedRow key={feed.id} feed={feed} />
            ))}
          </ul>
          <details open={refused !== null}>
            <summary class="button quiet small">Make an address…</summary>
            <FeedForm refused={refused} />
          </details>
        </>
      )}
    </section>
  );
}

function FeedRow({ feed }: { feed: CalendarFeed }): VNode {
  const { id, label, has_details, artist_id, created_at } = feed;
  return (
    <li>
      <p>
        <bdi class="named">{label}</bdi>
      </p>
      <p>
        {has_details ? 'Names and phone numbers' : 'Initials only'}
        <Whose artistId={artist_id} before=" · " />
      </p>
      <p class="fine">
        created <Moment at={created_at} />
      </p>
      <div class="acts">
        <FoldedForm label="New address" of={`for ${label}`} action={`${feedsPath}/${id}/rotate`}>
          <p>The address that it has now stops at once: subscribe to the new one again.</p>
          <button class="small">
            Replace the address<Unseen> of {label}</Unseen>
          </button>
        </FoldedForm>
        <FoldedForm label="Remove" of={label} action={`${feedsPath}/${id}/remove`}>
          <p>Its address stops at once. Calendars that subscribe to it show nothing new.</p>
          <button class="small">
            Remove the address<Unseen> of {label}</Unseen>
          </button>
        </FoldedForm>
      </div>
    </li>
  );
}

function FeedForm({ refused }: { refused: RefusedFeed | null }): VNode {
  return (
    <PostForm action={feedsPath} class="calendar-form">
      <Field
        name="label"
        id="feed-label"
        label="Label"
        hint="Who or what subscribes, such as Phone."
        required
        value={refused?.typed.label ?? ''}
        mistake={refused?.mistake ?? undefined}
      />
      <WhoseField id="feed-artist" label="Whose sessions it shows" chosen={refused?.typed.artist} />
      <label class="tick">
        <input
          type="checkbox"
          name="details"
          value="yes"
          checked={refused?.typed.hasDetails ?? false}
        />
        Show names and phone numbers
      </label>
      <p class="fine">
        It then also shows the reasons of closures. Otherwise people are shown by their initials.
      </p>
      <button>Make the address</button>
    </PostForm>
  );
}

/** The address, to copy or to subscribe to: it is shown once. */
export function NewAddress({ feed, url }: ShownAddress): VNode {
  return (
    <section class="notice new-address" aria-labelledby="new-address">
      <h2 id="new-address">
        The address for <bdi>{feed.label}</bdi>
      </h2>
      <p>
        Copy it now: it is not shown again. Anyone who has it can read when your sessions are
        {feed.has_details && ', with names and phone numbers'}, until you replace or remove it.
      </p>
      <input type="url" value={url} readOnly aria-labelledby="new-address" />
      <p>
        <a class="button" href={url.replace(/^https?:/, 'webcal:')}>
          Subscribe on this device
        </a>
      </p>
      <p class="fine">
        Elsewhere, paste it. Google: in a browser, Other calendars, From URL. Outlook: Add calendar,
        Subscribe from web. iPhone: Settings, Calendar, Accounts, Add Account, Other, Add Subscribed
        Calendar.
      </p>
    </section>
  );
}
