import type { EventToMail, NewBookingMail, NewMail } from '../repositories/mail-dispatch.js';

const hourMs = 3_600_000;

/**
 * The mails of an event, in the order in which they are sent. A booking that was never confirmed has
 * none.
 */
export function mailsOfEvent(event: EventToMail, reminderHours: number): NewMail[] {
  if (event.type === 'calendar.failing') {
    const { id: eventId, calendarId } = event;
    if (calendarId === null) return [];
    const failure = { kind: 'calendar_failure', recipient: 'studio', sequence: 0 } as const;
    return [{ eventId, calendarId, ...failure, sendAt: null }];
  }
  const { id: eventId, type, bookingId, data, sequence, artistEmails } = event;
  const { occurredAt, startsAt, hasEmail } = event;
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
  const toPerson = (kind: NewBookingMail['kind']) => (hasEmail ? [mail(kind, 'person')] : []);
  /**
   * The reminder, if the change precedes its time. The hours are exact, also over a change of daylight
   * saving.
   */
  const reminder = () => {
    const sendAt = new Date(startsAt.getTime() - reminderHours * hourMs);
    const isAhead = reminderHours !== 0 && occurredAt < sendAt;
    return isAhead ? toPerson('reminder').map((each) => ({ ...each, sendAt })) : [];
  };
  /** Mails to artists: also about the studio's own changes, and to both artists of a move. */
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
  const toAll = (kind: NewBookingMail['kind']) => [
    ...toPerson(kind),
    mail(kind, 'studio'),
    ...toArtists(kind),
  ];
  // A quiet change leaves the mails of earlier ones useful.
  const isSilent = data.status !== 'confirmed' || data.is_quiet === true;
  switch (type) {
    case 'booking.confirmed':
      return [...toAll('confirmation'), ...reminder()];
    case 'booking.moved':
      return data.status === 'confirmed' ? [...toAll('move'), ...reminder()] : [];
    case 'booking.corrected':
      // The new address gets the former one's mail with the new link, unless the session has begun.
      return isSilent || occurredAt >= startsAt ? [] : [...toPerson('confirmation'), ...reminder()];
    case 'booking.readdressed':
    case 'booking.retimed':
    case 'booking.asked':
    case 'booking.kept':
      return isSilent ? [] : [...toPerson('move'), ...reminder()];
    case 'booking.cancelled':
      if (data.confirmed_at === null) return [];
      return toAll('cancellation').filter(
        ({ recipient }) => recipient !== 'studio' || data.by !== 'studio',
      );
    case 'booking.conflict':
      return [mail('conflict', 'studio')];
    default:
      return [];
  }
}
