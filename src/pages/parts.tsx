import type { VNode } from 'preact';
import type { StudioRow } from '../repositories/studio.js';
import {
  addressWords,
  type DatedAddress,
  fromWords,
  newAddressesAfter,
} from '../schedule/addresses.js';
import { zoneName } from '../schedule/slot-label.js';
import type { Slot } from '../schedule/slots.js';
import { dateWords } from '../schedule/words.js';
import { EmailLink, PhoneLink } from '../web/layout.js';

export interface WhenProps {
  slot: Slot;
  startsAt: Date;
  /** RFC 3339. */
  startsAtText: string;
  timezone: string;
}

/** The time of a session, in large letters. */
export function When({ slot, startsAt, startsAtText, timezone }: WhenProps): VNode {
  const { weekday, month, day, year } = dateWords(slot.date);
  return (
    <time class="when" dateTime={startsAtText}>
      <span>{weekday}, </span>
      <span class="date">
        {month} {day}{' '}
      </span>
      <span class="hour">{slot.timeSlot} </span>
      <span class="zone">
        {zoneName(timezone, startsAt.getTime())}, {year}
      </span>
    </time>
  );
}

/** The addresses to come, beside the one of today. */
export function ComingAddresses({
  addresses,
  today,
}: {
  addresses: readonly DatedAddress[];
  today: string;
}): VNode {
  return (
    <>
      {newAddressesAfter(addresses, today).map((address) => (
        <p key={address.from_date}>
          From {fromWords(address)}, sessions are at {addressWords(address)}.
        </p>
      ))}
    </>
  );
}

/** What the studio wants people to know before a session. */
export function Notices({ studio }: { studio: StudioRow }): VNode | null {
  if (studio.notices.length === 0) return null;
  return (
    <section class="notices" aria-labelledby="notices">
      <h2 id="notices">Good to know</h2>
      <dl>
        {studio.notices.map(({ title, text }) => (
          <div key={title}>
            <dt dir="auto">{title}</dt>
            <dd dir="auto">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Above the buttons: which acts are an assistant's, and which the person's (contract, "Checkout page"). */
export function WhoActs(): VNode {
  return (
    <p>
      An assistant may hold a time and hand it over. Only the person confirms, moves, releases,
      cancels, holds again or asks for a code.
    </p>
  );
}

export function AskStudio({ studio }: { studio: StudioRow }): VNode {
  return (
    <>
      If you need another time, write to <EmailLink studio={studio} /> or call{' '}
      <PhoneLink studio={studio} />.
    </>
  );
}
