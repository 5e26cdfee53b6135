import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { maxSessionNameLength, type SignIns } from '../../access/console-sessions.js';
import type { ConsoleSessionRow, PasskeyRow } from '../../database/rows/console.js';
import type { Artist } from '../../schedule/artists.js';
import { Whose } from '../artist-choice.js';
import { home, signInsPath } from '../links.js';
import { Moment, PageContext } from '../moment.js';
import { FoldedForm, PostForm, Unseen } from '../parts.js';
import { PasskeySignIn } from '../sign-in-page.js';

/** Where the form of a link for an artist is posted. */
export const linksPath = `${signInsPath}/links`;

export interface SignInsPageProps extends SignIns {
  /** The session of the reader. */
  own: ConsoleSessionRow;
  /** Whether passkeys can exist at the service's address. */
  hasPasskeys: boolean;
  /** The name in a form that was refused. */
  typedName: string | null;
  /** A link for an artist: null but in the response to its form. */
  newLink: { artist: Artist; url: string } | null;
}

/** Who is signed in, and with what one can sign in. */
export function SignInsPage(props: SignInsPageProps): VNode {
  const { sessions, passkeys, own, hasPasskeys, newLink } = props;
  return (
    <>
      {newLink !== null && <NewLink {...newLink} />}
      <h2>Signed in</h2>
      <ul class="sign-ins">
        {sessions.map((session) => (
          <SessionItem key={session.id} {...props} session={session} />
        ))}
      </ul>
      {sessions.some(({ id }) => id !== own.id) && (
        <PostForm action={`${signInsPath}/end-others`} class="inline">
          <button class="quiet">Sign out all others</button>
        </PostForm>
      )}
      <h2>Passkeys</h2>
      {passkeys.length > 0 && (
        <ul class="sign-ins">
          {passkeys.map((passkey) => (
            <PasskeyItem key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {hasPasskeys ? (
        <AddPasskey {...props} />
      ) : (
        <p class="advice muted">
          {passkeys.length === 0 && 'There are none. '}
          Passkeys need an address that begins with https. Links sign in at every address.
        </p>
      )}
      {own.artist_id === null && <LinkForm />}
    </>
  );
}

/** The link, to hand over: it is shown once. */
function NewLink({ artist, url }: { artist: Artist; url: string }): VNode {
  return (
    <section class="notice" aria-labelledby="new-link">
      <h2 id="new-link">
        The link for <bdi>{artist.name}</bdi>
      </h2>
      <p>
        It signs in once, within 15 minutes, whoever opens it and presses its button: hand it to
        nobody else. It is not shown again.
      </p>
      <input type="url" value={url} readOnly aria-labelledby="new-link" />
    </section>
  );
}

/** Makes a link for an artist; nothing where the studio has one. */
function LinkForm(): VNode | null {
  const { artists } = useContext(PageContext);
  const shown = artists.filter(({ isHidden }) => !isHidden);
  if (shown.length === 0) return null;
  return (
    <>
      <h2>Artists</h2>
      <p class="advice muted">
        An artist who signs in has only their own calendar, bookings, mails and feed, and can add a
        passkey on their device.
      </p>
      <PostForm action={linksPath} class="inline">
        <label>
          <Unseen>Artist</Unseen>
          <select name="artist">
            {shown.map(({ slug, name }) => (
              <option key={slug} value={slug} dir="auto">
                {name}
              </option>
            ))}
          </select>
        </label>
        <button class="quiet">Make a link</button>
      </PostForm>
    </>
  );
}

function SessionItem({
  session,
  own,
  passkeys,
}: SignInsPageProps & { session: ConsoleSessionRow }): VNode {
  const isOwn = session.id === own.id;
  const passkey = passkeys.find(({ id }) => id === session.passkey_id);
  return (
    <li>
      <div>
        <p>
          <bdi class="whose">{session.name}</bdi> {isOwn && <span class="muted">(this one)</span>}
          <OfArtist id={session.artist_id} />
        </p>
        <p class="muted">
          Signed in with a {passkey === undefined ? 'link' : 'passkey'} on{' '}
          <Moment at={session.signed_in_at} />, last seen <Moment at={session.last_seen_at} />
        </p>
      </div>
      {!isOwn && (
        <PostForm action={`${signInsPath}/sessions/${session.id}/end`} class="inline">
          <button class="quiet small" aria-label={`Sign out ${session.name}`}>
            Sign out
          </button>
        </PostForm>
      )}
    </li>
  );
}

/** Whose sign-in it is, unless it is the owner's. */
function OfArtist({ id }: { id: number | null }): VNode | null {
  return id === null ? null : (
    <span class="muted">
      <Whose artistId={id} before="" />
    </span>
  );
}

function PasskeyItem({ passkey }: { passkey: PasskeyRow }): VNode {
  const { name, created_at: addedAt, last_used_at: usedAt } = passkey;
  return (
    <li>
      <div>
        <p>
          <bdi class="whose">{name}</bdi>
          <OfArtist id={passkey.artist_id} />
        </p>
        <p class="muted">
          Added on <Moment at={addedAt} />
          {usedAt === null ? ', never used' : ', last used '}
          <Moment at={usedAt} />
        </p>
      </div>
      <FoldedForm label="Remove" of={name} action={`${signInsPath}/passkeys/${passkey.id}/remove`}>
        <p>It signs in no more, and everybody who signed in with it is signed out.</p>
        <button class="small">Remove this passkey</button>
      </FoldedForm>
    </li>
  );
}

function AddPasskey({ own, passkeys, mayAddPasskey, typedName }: SignInsPageProps): VNode {
  if (!mayAddPasskey) {
    return (
      <>
        <p class="advice">
          A passkey can be added within 10 minutes of a sign-in, and yours is older. Sign in again:
          with a new link, which <code>studio console link</code> prints where the service runs
          {passkeys.length === 0 ? '.' : ', or with a passkey.'}
        </p>
        {passkeys.length > 0 && (
          <PasskeySignIn label="Sign in again with a passkey" next={signInsPath} />
        )}
      </>
    );
  }
  return (
    <>
      <p class="advice muted">
        A passkey signs this device in with its fingerprint, face or PIN. Adding one needs a browser
        with passkeys.
      </p>
      <div data-passkeys hidden>
        <PostForm
          action={`${signInsPath}/passkeys`}
          data={{ passkey: 'add', options: `${signInsPath}/passkey-options` }}
          hidden={{ credential: '' }}
        >
          <label for="passkey-name">
            Name <span class="muted">(what the audit calls who signs in with it)</span>
          </label>
          <input
            id="passkey-name"
            name="name"
            value={typedName ?? own.name}
            maxLength={maxSessionNameLength}
            autocomplete="off"
          />
          <button>Add a passkey</button>
          <p class="trouble" role="alert" hidden />
        </PostForm>
      </div>
    </>
  );
}

/** Asks before the last way back in is lost. */
export function AskSignOut(): VNode {
  return (
    <PostForm action="/console/sign-out" hidden={{ sure: 'yes' }}>
      <p class="advice">
        No passkey can sign you in again here. You would need a new link, which{' '}
        <code>studio console link</code> prints where the service runs.
      </p>
      <div class="acts">
        <button>Sign out all the same</button>
        <a class="button quiet" href={home}>
          Stay
        </a>
      </div>
    </PostForm>
  );
}
