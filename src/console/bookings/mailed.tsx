import type { VNode } from 'preact';
import { type BookingRecord, isPersonMailed } from '../../domain/booking-record.js';
import { phoneWords } from '../../schedule/words.js';
import { personName } from './words.js';

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

/** A telephone number, which calls. */
export function PhoneLink({ phone }: { phone: string }): VNode {
  return <a href={`tel:+1${phone}`}>{phoneWords(phone)}</a>;
}
