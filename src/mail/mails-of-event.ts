import type {
  BookingEventToMail,
  EventToMail,
  NewBookingMail,
  NewMail,
} from '../repositories/mail-dispatch.js';

const hourMs = 3_600_000;

/**
 * The mails of an event, in the order in which they are sent (contract for people, "Mail"). A booking
 * that was never confirmed has none.
 */
export function mailsOfEvent(event: EventToMail, reminderHours: number): NewMail[] {
  if (event.type === 'calendar.failing') {
    const { id: eventId, calendarId } = event;
    if (calendarId === null) return [];
    const failure = { kind: 'calendar_failure', recipient: 'studio', sequence: 0 } as const;
    return [{ eventId, calendarId, ...failure, sendAt: null }];
  }
  const mails = mailsOfBooking(event, reminderHours);
  return event.hasEmail ? mails : mails.filter(({ recipient }) => recipient !== 'person');
}

function mailsOfBooking(event: BookingEventToMail, reminderHours: number): NewBookingMail[] {
  const { id: eventId, type, bookingId, data, sequence, artistEmails } = event;
  const mail = (
    kind: NewBookingMail['kind'],
    recipient: NewBookingMail['recipient'],
    artistId: number | null = null,
  ): NewBookingMail => ({
    eventId,
    bookingId,
    kind,
    recipient,
    artistId,
    sequence,
    sendAt: null,
  });
  /** Also of what the studio itself has changed, and to both artists of a move. */
  const toArtists = (kind: NewBookingMail['kind']): NewBookingMail[] => {
    const [now, before] = [data.artist_id, kind === 'move' ? data.from?.artist_id : undefined];
    const [email, formerEmail] = [now, before].map((id) =>
      id === undefined ? undefined : artistEmails[id],
    );
    return [
      ...(now !== undefined && email !== undefined ? [mail(kind, 'artist', now)] : []),
      ...(before !== undefined && formerEmail !== undefined && formerEmail !== email
        ? [mail(kind, 'former_artist', before)]
        : []),
    ];
  };
  switch (type) {
    case 'booking.confirmed':
      return [
        mail('confirmation', 'person'),
        mail('confirmation', 'studio'),
        ...toArtists('confirmation'),
        ...reminder(mail('reminder', 'person'), event, reminderHours),
      ];
    case 'booking.moved':
      if (data.status !== 'confirmed') return [];
      return [
        mail('move', 'person'),
        mail('move', 'studio'),
        ...toArtists('move'),
        ...reminder(mail('reminder', 'person'), event, reminderHours),
      ];
    case 'booking.corrected':
      // The session has begun: a new address has nothing to learn any more.
      if (isSilent(data) || event.occurredAt >= event.startsAt) return [];
      return [
        // The new address gets what the former one had, with the new link.
        mail('confirmation', 'person'),
        ...reminder(mail('reminder', 'person'), event, reminderHours),
      ];
    case 'booking.readdressed':
    case 'booking.retimed':
    case 'booking.asked':
    case 'booking.kept':
      if (isSilent(data)) return [];
      return [
        mail('move', 'person'),
        ...reminder(mail('reminder', 'person'), event, reminderHours),
      ];
    case 'booking.cancelled':
      if (data.confirmed_at === null) return [];
      return [
        mail('cancellation', 'person'),
        ...(data.by === 'studio' ? [] : [mail('cancellation', 'studio')]),
        ...toArtists('cancellation'),
      ];
    case 'booking.conflict':
      return [mail('conflict', 'studio')];
    default:
      return [];
  }
}

/** After a quiet change, the mails of earlier ones are still of use. */
function isSilent({ status, is_quiet: isQuiet }: BookingEventToMail['data']): boolean {
  return status !== 'confirmed' || isQuiet === true;
}

/**
 * The reminder, unless the change happens after its time. The hours are exact, also over a change of
 * daylight saving.
 */
function reminder(
  mail: NewBookingMail,
  { occurredAt, startsAt }: BookingEventToMail,
  reminderHours: number,
): NewBookingMail[] {
  if (reminderHours === 0) return [];
  const sendAt = new Date(startsAt.getTime() - reminderHours * hourMs);
  return occurredAt < sendAt ? [{ ...mail, sendAt }] : [];
}
