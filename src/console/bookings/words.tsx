import type { FastifyRequest } from 'fastify';
import type { VNode } from 'preact';
import type { BookingRow, BookingStatus, Channel } from '../../database/rows/schema.js';
import { type BookingRecord, isPersonMailed } from '../../domain/studio/booking-record.js';
import { questionKey, type SlotRefusal } from '../../domain/studio/bookings.js';
import type { CorrectionQuestion } from '../../domain/studio/correction.js';
import type { StudioSchedule } from '../../domain/studio/settings.js';
import { closedWords, personName, questionWords } from '../../domain/studio/words.js';
import { type Session, sessionOf } from '../../schedule/times.js';
import { bookingLabel, labelWith, phoneWords, timeOfDay } from '../../schedule/words.js';
import type { Outcome } from '../console-page.js';
import { doneInSlot, doneMessages, linkToBooking } from '../links.js';
import { DayAndHours } from '../moment.js';
import { seal, type Sealing } from '../sealed.js';
import { readAgreed } from './fields.js';

export interface PersonLinkProps {
  booking: Pick<BookingRow, 'id' | 'name'>;
  class?: string;
}

/** The name as a link to the booking. */
export function PersonLink({ booking, class: of }: PersonLinkProps): VNode {
  return (
    <a class={of} href={linkToBooking(booking.id)}>
      <bdi>{personName(booking)}</bdi>
    </a>
  );
}

const channels: Record<Channel, string> = {
  rest: 'assistant',
  mcp: 'assistant',
  page: 'our page',
  studio: 'studio',
};

/** How the booking was made: `assistant (claude)`; empty where an old version did not record it. */
export function channelWords({
  channel,
  platform,
}: Pick<BookingRow, 'channel' | 'platform'>): string {
  if (channel === null) return '';
  return platform === null ? channels[channel] : `${channels[channel]} (${platform})`;
}

const statusWords: Record<BookingStatus, string> = {
  pending: 'held',
  confirmed: 'confirmed',
  expired: 'lapsed',
  cancelled: 'cancelled',
};

/** The status; for a hold its end, for a missed session that it was missed. */
export function statusText(booking: BookingRow, status: BookingStatus): string {
  if (status === 'pending') {
    return `held until ${timeOfDay(booking.timezone, booking.expires_at.getTime())}`;
  }
  const words = statusWords[status];
  return booking.no_show_at === null ? words : `${words}, did not come`;
}

/** The time and status of a booking, with a link back to it. */
export function BookingNow({ record: { booking, status } }: { record: BookingRecord }): VNode {
  return (
    <>
      <strong>
        <DayAndHours of={sessionOf(booking)} />
      </strong>
      , {statusText(booking, status)}. <a href={linkToBooking(booking.id)}>Back to the booking</a>
    </>
  );
}

/** The studio's decision about a booking on a closed day; null before one. */
export function closedDayWords({
  closed_day_choice: choice,
  artist_name: name,
}: BookingRow): string {
  if (choice === null) return 'undecided';
  if (choice === 'asked') return 'asked to choose another time';
  return name === null ? 'you come in for this one' : `${name} comes in for this one`;
}

/** Why a person could not have a slot that the studio can; empty where one could. */
export const scheduleWords: Record<StudioSchedule, string> = {
  open: '',
  closed: 'closed',
  busy: 'busy',
  no_session: 'no session',
};

/** The same words as a sentence without its end. `artistName`: null where nobody is named. */
function unusualWords(
  schedule: Exclude<StudioSchedule, 'open'>,
  artistName: string | null,
): string {
  if (artistName === null) return closedWords[schedule];
  const words: Record<typeof schedule, string> = {
    closed: `${artistName} is away then, or the studio is closed`,
    busy: 'A calendar is busy then',
    no_session: `${artistName} has no session then`,
  };
  return words[schedule];
}

/** Why people cannot book a time that the studio can; empty where they can. */
export function onlyStudioWords(schedule: StudioSchedule, artistName: string | null): string {
  return schedule === 'open' ? '' : `${unusualWords(schedule, artistName)}: only you can book it.`;
}

/** The messages of a booking's page after a change, with the artist where they are named. */
export function doneMessagesOf({
  artist_name: name,
}: Pick<BookingRow, 'artist_name'>): Record<string, string> {
  const said =
    name === null
      ? { added: 'Added.', moved: 'Moved.', undone: 'Moved back.' }
      : {
          added: `Added, with ${name}.`,
          moved: `Moved: the session is with ${name}.`,
          undone: `Moved back: the session is with ${name}.`,
        };
  const outside = (['added', 'moved'] as const).flatMap((done) =>
    (['closed', 'busy', 'no_session'] as const).map((schedule): [string, string] => [
      doneInSlot(done, schedule),
      `${said[done]} ${unusualWords(schedule, name)}.`,
    ]),
  );
  const moved = `${said.moved} The slot that it had is free again.`;
  return { ...doneMessages, ...said, moved, ...Object.fromEntries(outside) };
}

/** Why a change of a booking was refused, in sentences for the studio. */
export const refusals = {
  changed:
    'The booking has changed since you opened this page. Nothing was done. This is how it is now.',
  not_live: 'The booking is no longer held or confirmed. Nothing was done.',
  not_begun: 'The session has not begun. Nothing was done.',
  not_confirmed: 'Only a confirmed session can be missed. Nothing was done.',
  missed: 'It is recorded already that the person did not come.',
  not_missed: 'It is not recorded that the person did not come. Nothing was done.',
  erased: 'The personal data of this booking is erased already.',
  upcoming:
    'Nothing was erased: the sessions to come have changed since you opened this page. Look at them below, and decide again.',
  note_changed:
    'The note has changed since you opened this page. Nothing was saved. The new note is above; what you typed is in the form.',
};

/** What an artist is asked about bookings of others, of which they learn nothing else. */
const unnamed = {
  elsewhere: 'The person has another session at that time.',
  joins: 'These are the details of another client.',
};

const howToAgree = {
  elsewhere: 'To have both, press the button again.',
  joins: 'If it is the same person, press the button again.',
};

/** Asks the studio. `agreed`: the field of the form that it shows, with what was agreed to before. */
export function askStudio(
  context: Sealing,
  { body, consoleArtist }: FastifyRequest,
  question: CorrectionQuestion,
): { agreed: string; outcome: Outcome } {
  const { outcome: asked, other } = question;
  const isKnown = consoleArtist === null || consoleArtist.id === other.artist_id;
  const words = isKnown ? questionWords(question) : unnamed[asked];
  const agreed = [...readAgreed(context, body as { agreed?: string }), questionKey(question)];
  return {
    agreed: seal(context, agreed.join(' '), 'console agreement'),
    outcome: { trouble: `${words} Nothing was done. ${howToAgree[asked]}` },
  };
}

export const noSlotChosen = 'Choose a date and a session. Nothing was done.';

export const needsCorrecting = 'Something needs correcting. Nothing was saved.';

export const addedAlready =
  'This booking has been added already: the form was sent twice. It is there once.';

/** The addition where the form left the artist open. */
export const addedTwice = 'If another person has the same details, choose the artist.';

export const noArtistChosen = 'Choose one of the artists, or whoever is free.';

/** The refusal of a slot that the studio, or this booking, cannot have. */
export function slotRefused(
  { artistName = null, ...slot }: Session,
  refusal: SlotRefusal | 'same_slot',
): string {
  const which = labelWith(bookingLabel(slot), artistName);
  const sentences: Record<typeof refusal, string> = {
    taken: `${which} is taken.`,
    over: `${which} is over.`,
    no_such_slot: `${which} does not exist in the studio’s time zone.`,
    same_slot: 'The booking is in this session already.',
  };
  return `${sentences[refusal]} Nothing was done.`;
}

/** The mistake of a text longer than `limit` characters, or null. */
export function textTooLong(name: string, text: string, limit: number): string | null {
  const { length } = [...text];
  if (length <= limit) return null;
  return `The ${name} can have at most ${limit} characters; there are ${length}. Nothing was done.`;
}

export interface WhoIsMailedProps {
  record: BookingRecord;
  /** Whether the studio gets a mail of its own. */
  studioToo?: boolean;
}

/** Says before a change who gets a mail about it, and whom to call. */
export function WhoIsMailed({ record, studioToo = false }: WhoIsMailedProps): VNode {
  const { booking, status, hasMail } = record;
  const { phone } = booking;
  const person = <bdi>{personName(booking)}</bdi>;
  const isStudioMailed = studioToo && hasMail && status === 'confirmed';
  if (isPersonMailed({ mail: hasMail }, booking)) {
    return (
      <p>
        {person} gets a mail about it{isStudioMailed && ', and so does the studio'}.
      </p>
    );
  }
  const why = !hasMail
    ? 'mail is off'
    : status === 'pending'
      ? 'a hold mails nobody'
      : 'they gave no address';
  return (
    <p>
      {person} gets no mail: {why}.{isStudioMailed && ' The studio gets one.'}
      {phone !== null && <> Call {<PhoneLink phone={phone} />}.</>}
    </p>
  );
}

/** A telephone number as a link. */
export function PhoneLink({ phone }: { phone: string }): VNode {
  return <a href={`tel:+1${phone}`}>{phoneWords(phone)}</a>;
}
