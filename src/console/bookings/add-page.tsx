import { type Static, Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { BookingRow } from '../../database/rows/schema.js';
import { type GivenPerson, personMembers, requiredMembers } from '../../domain/booking/person.js';
import type { DomainServices } from '../../domain/deps.js';
import { findLiveBookings } from '../../domain/studio/booking-record.js';
import { addBookingOnce } from '../../domain/studio/bookings.js';
import { type StudioSchedule, studioSchedule } from '../../domain/studio/settings.js';
import { personName } from '../../domain/studio/words.js';
import { type Artist, choosableArtists, ofArtist } from '../../schedule/artists.js';
import type { Slot } from '../../schedule/slots.js';
import { form, formRefused, type PageScope, query, readSlot, text, uuid } from '../../web/forms.js';
import { findPersonMistakes, personFields, type PersonMistakes } from '../../web/person-form.js';
import { ArtistField, OwnArtist } from '../artist-choice.js';
import { expectOwnBookings } from '../concerns.js';
import type { Outcome } from '../console-page.js';
import { bookingsPath, doneInSlot, linkToBooking } from '../links.js';
import { PageContext } from '../moment.js';
import { PostForm } from '../parts.js';
import { actorOf } from '../session.js';
import { readRecord, seeChanged } from './booking-page.js';
import { shownPerson } from './correct-page.js';
import { agreeing, PersonFields, readAgreed, SlotFields } from './fields.js';
import {
  addedAlready,
  addedTwice,
  askStudio,
  needsCorrecting,
  noArtistChosen,
  onlyStudioWords,
  slotRefused,
} from './words.js';

/** What the fields of slot and artist choose. */
interface Choice {
  /** Empty where the studio has one. */
  artists: readonly Artist[];
  /** Null: whoever is free. */
  artist: Artist | null;
  isUnknown: boolean;
  /** The schedule of the slot, with the artist; null if no slot is chosen. */
  schedule: StudioSchedule | null;
}

/** Whether the booking is with whoever of several is free. */
function isAnybody({ artists, artist }: Choice): boolean {
  return artists.length > 0 && artist === null;
}

export interface AddPageProps {
  typed: Typed;
  mistakes?: Mistakes;
  choice: Choice;
  /** The booking that has the slot. */
  takenBy?: BookingRow | null;
  /** Whether the form itself has added it. */
  isSame?: boolean;
  /** What the next press agrees to. */
  agreed?: string;
}

function AddPage(props: AddPageProps): VNode {
  const { typed, mistakes = {}, choice, takenBy = null, isSame = false } = props;
  const { artists, artist, schedule } = choice;
  const { hasMail } = useContext(PageContext);
  const opening = takenBy !== null && (
    <p>
      <a class="button" href={linkToBooking(takenBy.id)}>
        Open the booking of <bdi>{personName(takenBy)}</bdi>
      </a>
    </p>
  );
  if (isSame && !isAnybody(choice)) return <>{opening}</>;
  return (
    <>
      {opening}
      <PostForm action={`${bookingsPath}/new`} hidden={{ agreed: props.agreed, like: typed.like }}>
        <SlotFields date={typed.date} timeSlot={typed.time_slot} mistake={mistakes.slot} />
        <OwnArtist />
        <ArtistField
          label="Artist"
          all="Whoever is free"
          artists={artists}
          chosen={typed.artist}
          mistake={mistakes.artist}
        />
        {schedule !== null && schedule !== 'open' && (
          <p class="muted">{onlyStudioWords(schedule, artist?.name ?? null)}</p>
        )}
        <PersonFields
          typed={typed}
          mistakes={mistakes}
          hints={hasMail ? { email: 'With an address, they get the confirmation by mail.' } : {}}
          required={requiredMembers({ channel: 'studio' })}
        />
        <button>Add the booking</button>
      </PostForm>
    </>
  );
}

const addSchema = form({
  ...{ date: text, time_slot: text, artist: Type.Optional(text) },
  ...personFields,
  ...agreeing,
  /** A booking of the client, who is booked again. */
  like: Type.Optional(uuid),
});

type Typed = Static<typeof addSchema.body>;

const nothingTyped: Typed = {
  ...{ date: '', time_slot: '' },
  ...{ name: '', email: '', phone: '', pronouns: '', idea: '' },
};

/** What is wrong, by the field. */
export type Mistakes = PersonMistakes & { slot?: string; artist?: string };

export type ReadForm =
  | { slot: Slot; person: GivenPerson; mistakes: null }
  | { slot: Slot | null; mistakes: Mistakes };

/** What a form adds, or all its mistakes. */
function readAddForm(typed: Typed, { isUnknown }: Choice): ReadForm {
  const slot = readSlot(typed);
  const mistakes: Mistakes = {
    ...(slot === null && { slot: 'Choose a date and a session.' }),
    ...(isUnknown && { artist: noArtistChosen }),
    ...findPersonMistakes(typed, requiredMembers({ channel: 'studio' })),
  };
  if (slot === null || Object.keys(mistakes).length > 0) return { slot, mistakes };
  const person: GivenPerson = { name: '' };
  for (const member of personMembers) {
    const text = typed[member].trim();
    if (text !== '') person[member] = text;
  }
  return { slot, person, mistakes: null };
}

const url = '/console/bookings/new';

/** `/console/bookings/new`: adds a walk-in or a call to any slot that is free and not over. */
export function registerAdding(scope: PageScope, context: DomainServices): void {
  const given = query({ date: text, time_slot: text, artist: text, like: uuid });
  scope.get(url, { schema: given }, async (request, reply) => {
    const { like } = request.query;
    const kept = like === undefined ? {} : await readKept(request, like);
    const typed = { ...nothingTyped, ...kept, ...request.query };
    return show(reply, { typed, choice: await readChoice(request, typed) });
  });

  scope.post(url, { schema: addSchema }, async (request, reply) => {
    const typed = request.body;
    const choice = await readChoice(request, typed);
    const own = request.consoleArtist;
    if (own !== null && typed.artist !== own.slug) throw formRefused();
    const form = readAddForm(typed, choice);
    if (form.mistakes !== null) {
      const outcome = { status: 400, trouble: needsCorrecting };
      return show(reply, { typed, choice, mistakes: form.mistakes }, outcome);
    }
    const { like } = typed;
    if (like !== undefined) await expectOwnBookings(context, request, [like]);
    const language = like === undefined ? null : (await readRecord(context, like)).booking.language;
    const person = { ...form.person, language };
    const { artist } = choice;
    const slot = { ...form.slot, artistId: artist?.id ?? null };
    const agreement = { agreed: readAgreed(context, typed) };
    const added = await addBookingOnce(context, actorOf(request), slot, person, agreement);
    if (added.outcome === 'added') {
      return seeChanged(context, reply, doneInSlot('added', added.schedule), added.booking);
    }
    if (added.outcome === 'added_already') {
      const page = { typed, choice, takenBy: added.booking, isSame: true };
      const trouble = isAnybody(choice) ? `${addedAlready} ${addedTwice}` : addedAlready;
      return show(reply, page, { trouble });
    }
    if (added.outcome === 'elsewhere') {
      const { agreed, outcome } = askStudio(context, request, added);
      return show(reply, { typed, choice, agreed }, outcome);
    }
    // If no artist is named and there are several, all are booked.
    const isOne = added.outcome === 'taken' && !isAnybody(choice);
    const [takenBy] = isOne ? await findLiveBookings(context, slot) : [];
    const trouble = slotRefused({ ...slot, artistName: artist?.name }, added.outcome);
    return show(reply, { typed, choice, ...(takenBy && { takenBy }) }, { trouble });
  });

  async function readChoice({ consoleArtist: own }: FastifyRequest, typed: Typed): Promise<Choice> {
    const state = await context.board.read();
    const { calendar } = state;
    const artists = own === null ? choosableArtists(state) : [];
    const artist = own ?? artists.find(({ slug }) => slug === typed.artist) ?? null;
    const slot = readSlot(typed);
    const ofChosen = artist === null ? calendar : ofArtist(calendar, artist.id);
    return {
      artists,
      artist,
      isUnknown: artists.length > 0 && artist === null && (typed.artist ?? '') !== '',
      schedule: slot === null ? null : studioSchedule(ofChosen, slot),
    };
  }

  /** The details of a booking, and its artist, if they can be chosen. */
  async function readKept(request: FastifyRequest, id: string): Promise<Partial<Typed>> {
    await expectOwnBookings(context, request, [id]);
    const { booking } = await readRecord(context, id);
    const artists = choosableArtists(await context.board.read());
    const artist = artists.find((each) => each.id === booking.artist_id);
    return { ...shownPerson(booking), ...(artist !== undefined && { artist: artist.slug }) };
  }

  function show(
    reply: FastifyReply,
    page: AddPageProps,
    outcome: Outcome = {},
  ): Promise<FastifyReply> {
    return reply.showPage({
      ...outcome,
      section: 'bookings',
      title: page.isSame === true ? 'Added already' : 'Add a booking',
      children: <AddPage {...page} />,
    });
  }
}
