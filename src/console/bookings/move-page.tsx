import { Type } from '@sinclair/typebox';
import type { VNode } from 'preact';
import type { BookingRecord } from '../../domain/studio/booking-record.js';
import type { StudioDays, StudioSlot } from '../../domain/studio/days.js';
import { personName } from '../../domain/studio/words.js';
import type { Artist } from '../../schedule/artists.js';
import { isSameSlot, slotKey, slotOf } from '../../schedule/slots.js';
import { sessionOf } from '../../schedule/times.js';
import { sessionLengthWords } from '../../schedule/words.js';
import { ArtistLinks } from '../../web/artist-links.js';
import { Field } from '../../web/field.js';
import { choice, form, text } from '../../web/forms.js';
import { ArtistField } from '../artist-choice.js';
import { linkToBooking, linkToTimes, slugOf } from '../links.js';
import { DayAndHours } from '../moment.js';
import { Facts, FoldedForm, isolated, PostForm } from '../parts.js';
import { agreeing, seen, seenFields, SlotFields } from './fields.js';
import { FreeDays, freeDays, SameTime } from './free-times.js';
import { BookingNow, onlyStudioWords, statusText, WhoIsMailed } from './words.js';

export const moveSchema = form({
  ...seen,
  slot: text,
  artist: Type.Optional(text),
  word: Type.Optional(text),
  undo: Type.Optional(choice('yes')),
  ...agreeing,
});

export interface TypedSlot {
  date?: string | undefined;
  time_slot?: string | undefined;
  artist?: string | undefined;
}

export interface MovePageProps {
  record: BookingRecord;
  /** The days of the artist who is chosen. */
  days: StudioDays;
  /** The artists to whom it can be moved; empty where the studio has one. */
  artists: readonly Artist[];
  /** Null: whoever is free. */
  artist: Artist | null;
  /** Its own session, with other artists who are free. */
  sameTime: readonly StudioSlot[];
  /** The fields of a form that was refused. */
  typed: TypedSlot;
}

/** The free slots of the coming days, each a link to the question, and a form for any other slot. */
export function MovePage(props: MovePageProps): VNode {
  const { record, days, artists, artist, sameTime, typed } = props;
  const { booking } = record;
  const usual = freeDays(days, { isUsual: true });
  const unusual = freeDays(days, { isUsual: false });
  const shared = { id: booking.id, isAnybody: artists.length > 0 && artist === null };
  return (
    <>
      <p>
        Now <BookingNow record={record} />
      </p>
      {artists.length > 0 && <SameTime id={booking.id} slots={sameTime} />}
      <h2>Free in the coming days</h2>
      <ArtistLinks
        artists={artists}
        shown={artist}
        all="Whoever is free"
        linkTo={(each) => linkToTimes(booking.id, each?.slug ?? '')}
      />
      <p class="muted">A session takes {sessionLengthWords}.</p>
      {usual.length === 0 && <p>Nothing is free: choose another date below.</p>}
      <FreeDays days={usual} {...shared} />
      {unusual.length > 0 && (
        <details>
          <summary class="button quiet">Times that only you can book…</summary>
          <p class="muted">Without a session, closed, busy in your calendar, or running now.</p>
          <FreeDays days={unusual} {...shared} />
        </details>
      )}
      <h2>Another date</h2>
      <form action={`${linkToBooking(booking.id)}/move`}>
        <SlotFields date={typed.date ?? ''} timeSlot={typed.time_slot ?? ''} />
        <ArtistField label="Artist" all="Whoever is free" artists={artists} chosen={artist?.slug} />
        <button class="quiet">Choose</button>
      </form>
    </>
  );
}

/** The hidden fields that name the slot of a move. */
function slotFieldsOf(to: StudioSlot) {
  return { slot: slotKey(to), artist: slugOf(to) ?? undefined };
}

export interface AskMoveProps {
  record: BookingRecord;
  to: StudioSlot;
  /** The studio's words for the person, as they were typed. */
  word: string;
  wordMistake?: string | undefined;
  /** What the press agrees to, besides the move. */
  agreed?: string;
}

/** Asks before a booking is moved: whose, from, to, and who is mailed. */
export function AskMove(props: AskMoveProps): VNode {
  const { record, to, word, wordMistake } = props;
  const { booking, status } = record;
  const path = `${linkToBooking(booking.id)}/move`;
  return (
    <PostForm
      action={path}
      hidden={{ ...seenFields(booking), ...slotFieldsOf(to), agreed: props.agreed }}
    >
      <Facts
        facts={[
          ['Who', isolated(personName(booking))],
          [
            'From',
            [
              <DayAndHours key="from" of={sessionOf(booking)} />,
              `, ${statusText(booking, status)}`,
            ],
          ],
          [
            'To',
            <strong key="to">
              <DayAndHours of={to} />
            </strong>,
          ],
        ]}
      />
      <OnlyStudio to={to} />
      <WhoIsMailed record={record} studioToo />
      <Field
        name="word"
        label="A line for them"
        hint="Shown on their page, and in the mail if they get one. Anybody who has the link can read it."
        optional
        rows={2}
        value={word}
        mistake={wordMistake}
      />
      <div class="acts">
        <button>
          {isSameSlot(to, slotOf(booking)) ? (
            <>
              Move to <bdi>{to.artist.name}</bdi>
            </>
          ) : (
            'Move to this time'
          )}
        </button>
        <a class="button quiet" href={linkToTimes(booking.id, slugOf(to))}>
          Choose another time
        </a>
      </div>
    </PostForm>
  );
}

/** Why people could not choose a time that the studio can use. */
function OnlyStudio({ to }: { to: StudioSlot }): VNode | null {
  const only = to.hasBegun
    ? 'This session is running already.'
    : onlyStudioWords(to.schedule, to.artistName);
  return only === '' ? null : <p class="warned">{only}</p>;
}

/** Takes the studio’s own move back. */
export function UndoMove(props: { record: BookingRecord; to: StudioSlot; isOpen: boolean }): VNode {
  const { record, to, isOpen } = props;
  const { booking } = record;
  return (
    <FoldedForm
      label="Undo the move"
      isLarge
      isOpen={isOpen}
      action={`${linkToBooking(booking.id)}/move`}
      hidden={{ ...seenFields(booking), ...slotFieldsOf(to), undo: 'yes' }}
    >
      <p>
        Back to <DayAndHours of={to} />, which is still free.
      </p>
      <OnlyStudio to={to} />
      <WhoIsMailed record={record} studioToo />
      <button>Undo the move</button>
    </FoldedForm>
  );
}
