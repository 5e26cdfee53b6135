import type { FastifyReply, FastifyRequest } from 'fastify';
import type { VNode } from 'preact';
import { mailtoUri } from '../../config/addresses.js';
import type { BookingRow } from '../../database/rows/schema.js';
import type { DomainServices } from '../../domain/deps.js';
import {
  type BookingRecord,
  isPersonMailed,
  readBookingRecord,
} from '../../domain/studio/booking-record.js';
import { readOpenQuestions } from '../../domain/studio/closed-days.js';
import { type BookingConflict, listConflicts } from '../../domain/studio/conflicts.js';
import { findFormerSlot, type StudioSlot } from '../../domain/studio/days.js';
import { confirmedWords, countsOfClient, personName } from '../../domain/studio/words.js';
import { ServiceError } from '../../errors.js';
import { isLive } from '../../schedule/slots.js';
import { sessionOf } from '../../schedule/times.js';
import { zoneName } from '../../schedule/words.js';
import { seeOther } from '../../web/send-page.js';
import { ConflictFact } from '../calendars/calendars-page.js';
import type { Outcome } from '../console-page.js';
import { type Done, linkAfter, linkAfterOnDay, linkToClient, undecidedPath } from '../links.js';
import { DayAndHours } from '../moment.js';
import { type Fact, Facts, isolated } from '../parts.js';
import { isShownTo } from './free-times.js';
import { History, Mails } from './history.js';
import { Jobs, type TypedJob } from './jobs.js';
import {
  channelWords,
  closedDayWords,
  doneMessagesOf,
  PhoneLink,
  refusals,
  statusText,
} from './words.js';

interface BookingPageProps {
  record: BookingRecord;
  /** Null unless a watched calendar is busy during the session. */
  conflict: BookingConflict | null;
  /** Whether its day is closed, and the studio has not decided about the booking yet. */
  isUndecided: boolean;
  /** The slot from which the studio moved it, while that is free. */
  former: StudioSlot | null;
  typed: TypedJob;
}

/** A booking with its person, what can be done with it, and what has happened to it. */
function BookingPage({ record, former, typed, ...state }: BookingPageProps): VNode {
  return (
    <div class="record">
      <div>
        <Person record={record} {...state} />
        <Jobs record={record} former={former} typed={typed} />
        <Details record={record} />
      </div>
      <div class="past">
        <History record={record} />
        <Mails record={record} />
      </div>
    </div>
  );
}

/** The time of the session, and the person's contact. */
function Person({
  record: { booking, status, client },
  conflict,
  isUndecided,
}: Omit<BookingPageProps, 'former' | 'typed'>): VNode {
  const { phone, email, closed_day_choice } = booking;
  const facts: Fact[] = [
    ['When', <When key="when" booking={booking} />],
    ['Status', statusText(booking, status)],
    ['Conflict', conflict !== null && <ConflictFact key="conflict" conflict={conflict} />],
    [
      'Closed day',
      isLive(status) && (isUndecided || closed_day_choice !== null) && (
        <a href={undecidedPath}>{closedDayWords(booking)}</a>
      ),
    ],
    ['Note', isolated(booking.studio_note)],
    [
      'Client',
      booking.name !== null && (
        <a key="client" href={linkToClient(booking.id)}>
          {countsOfClient(client)}
        </a>
      ),
    ],
    ['About them', isolated(client.note)],
    ['Pronouns', isolated(booking.pronouns)],
    ['Phone', phone !== null && <PhoneLink phone={phone} />],
    [
      'E-mail',
      email !== null && (
        <a href={mailtoUri(email)}>
          <bdi>{email}</bdi>
        </a>
      ),
    ],
  ];
  return <Facts name="person" facts={facts} />;
}

/** The other details of a booking; the longest texts are here. */
function Details({ record: { booking } }: { record: BookingRecord }): VNode {
  const via = booking.confirmed_via;
  const facts: Fact[] = [
    ['Idea', isolated(booking.idea)],
    ['Came through', channelWords(booking)],
    ['Confirmed', via !== null && confirmedWords[via]],
    ['Reason', isolated(booking.cancellation_reason)],
    ['Id', <code key="id">{booking.id}</code>],
  ];
  return <Facts name="details" facts={facts} />;
}

function When({ booking }: { booking: BookingRow }): VNode {
  const { timezone, starts_at, artist_name: name } = booking;
  return (
    <>
      <DayAndHours of={{ ...sessionOf(booking), artistName: null }} />,{' '}
      {zoneName(timezone, starts_at.getTime())}
      {name !== null && (
        <>
          {', with '}
          <bdi>{name}</bdi>
        </>
      )}
    </>
  );
}

/** Throws `not_found` if there is no booking of the id. `artistId`: see `readBookingRecord`. */
export async function readRecord(
  context: DomainServices,
  id: string,
  artistId?: number,
): Promise<BookingRecord> {
  const record = await readBookingRecord(context, id, artistId);
  if (record === null) throw new ServiceError('not_found');
  return record;
}

/** Whether the address says that the booking has just been moved. */
function hasMoved({ query }: FastifyRequest): boolean {
  const { done = '' } = query as { done?: string };
  return done.startsWith('moved');
}

/** Null unless a watched calendar is busy during the confirmed session, or it is of another zone. */
async function findConflict(
  context: DomainServices,
  { booking, status }: BookingRecord,
): Promise<BookingConflict | null> {
  if (status !== 'confirmed') return null;
  const conflicts = await listConflicts(context);
  return conflicts.find((conflict) => conflict.booking.id === booking.id) ?? null;
}

/** Shows the present booking. `typed`: the fields of a refused form. */
export async function showBooking(
  context: DomainServices,
  reply: FastifyReply,
  id: string,
  { typed, ...outcome }: Outcome & { typed?: TypedJob | undefined } = {},
): Promise<FastifyReply> {
  const record = await readRecord(context, id, reply.request.consoleArtist?.id);
  const [{ undecided }, conflict, former] = await Promise.all([
    readOpenQuestions(context),
    findConflict(context, record),
    findFormerSlot(context, record),
  ]);
  const moved = outcome.trouble === undefined && hasMoved(reply.request);
  return reply.showPage({
    ...outcome,
    section: 'bookings',
    title: personName(record.booking),
    messages: doneMessagesOf(record.booking),
    children: BookingPage({
      ...{ record, conflict },
      former: former !== null && isShownTo(reply.request, former) ? former : null,
      isUndecided: undecided.some((booking) => booking.id === id),
      typed: { moved, ...typed },
    }),
  });
}

/** Shows the present booking, and why nothing was done to it. */
export function refuseJob(
  context: DomainServices,
  reply: FastifyReply,
  id: string,
  refusal: keyof typeof refusals | 'not_found',
  typed?: TypedJob,
): Promise<FastifyReply> {
  if (refusal === 'not_found') throw new ServiceError('not_found');
  return showBooking(context, reply, id, { trouble: refusals[refusal], typed });
}

/** Redirects to a booking after a change, and says whether its person gets a mail about it. */
export async function seeChanged(
  { board }: DomainServices,
  reply: FastifyReply,
  done: Done,
  booking: BookingRow,
): Promise<FastifyReply> {
  const { mode, today } = await board.read();
  const isMailed = isPersonMailed(mode, booking);
  const own = reply.request.consoleArtist;
  if (own !== null && own.id !== booking.artist_id) {
    return seeOther(reply, linkAfterOnDay('handed', today, today, { isMailed }));
  }
  return seeOther(reply, linkAfter(done, booking.id, isMailed));
}
