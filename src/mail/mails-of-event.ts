import type { EventToMail, NewMail } from '../repositories/mail-dispatch.js';

const hourMs = 3_600_000;

/**
 * The mails that are made of an event, in the order in which they are sent (contract for people,
 * "Mail"): of a confirmation, and of the moves and the cancellation of a booking that was confirmed.
 */
export function mailsOfEvent(event: EventToMail, reminderHours: number): NewMail[] {
  const { id: eventId, type, bookingId, data, sequence, hasEmail } = event;
  const mail = (kind: NewMail['kind'], recipient: NewMail['recipient']): NewMail => ({
    eventId,
    bookingId,
    kind,
    recipient,
    sequence,
    sendAt: null,
  });
  const forPerson = (mails: NewMail[]) => (hasEmail ? mails : []);
  switch (type) {
    case 'booking.confirmed':
      return [
        ...forPerson([mail('confirmation', 'person')]),
        mail('confirmation', 'studio'),
        ...forPerson(reminder(mail('reminder', 'person'), event, reminderHours)),
      ];
    case 'booking.moved':
      if (data.status !== 'confirmed') return [];
      return [
        ...forPerson([mail('move', 'person')]),
        mail('move', 'studio'),
        ...forPerson(reminder(mail('reminder', 'person'), event, reminderHours)),
      ];
    case 'booking.cancelled':
      if (data.confirmed_at === null) return [];
      return [
        ...forPerson([mail('cancellation', 'person')]),
        ...(data.by === 'studio' ? [] : [mail('cancellation', 'studio')]),
      ];
    default:
      return [];
  }
}

/**
 * The reminder, if the change was made before its time. That is a duration before the start, so that
 * a change of daylight saving neither shortens nor lengthens it.
 */
function reminder(
  mail: NewMail,
  { occurredAt, startsAt }: EventToMail,
  reminderHours: number,
): NewMail[] {
  if (reminderHours === 0) return [];
  const sendAt = new Date(startsAt.getTime() - reminderHours * hourMs);
  return occurredAt < sendAt ? [{ ...mail, sendAt }] : [];
}
