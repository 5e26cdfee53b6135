import { Type } from '@sinclair/typebox';
import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { BookingRow } from '../../database/rows/schema.js';
import type { AddressOptions } from '../../domain/studio/addresses.js';
import { addressWords, type DatedAddress } from '../../schedule/addresses.js';
import { calendarDate, choice, form } from '../../web/forms.js';
import { listed, listedBookings, readListedBookings } from '../bookings/fields.js';
import { BookingLines } from '../hours/closure-parts.js';
import { addressesPath } from '../links.js';
import { longDate, PageContext } from '../moment.js';
import { FoldedForm } from '../parts.js';

/** The address in the form of the details. */
export interface PostedAddress extends Told {
  /** The date as it was typed; empty for an address that counts at once. */
  from: string;
  seenComing: string;
}

type Told = Required<Pick<AddressOptions, 'isQuiet' | 'listed'>>;

/** The fields of `TellPeople`. */
export const tellFields = { mail: Type.Optional(choice('yes')), listed: Type.Optional(listed) };

/** Whom to notify. If no mail is sent, nobody has to be listed first. */
export function readTold(posted: { mail?: 'yes'; listed?: string }): Told {
  const isQuiet = posted.mail === undefined;
  return { isQuiet, listed: isQuiet ? undefined : readListedBookings(posted.listed ?? '') };
}

export interface TellPeopleProps {
  isQuiet: boolean;
  /** The sessions that the form touches, once it was posted. */
  touched: readonly BookingRow[];
}

/** Whether and which people get a mail about a change to their sessions. */
export function TellPeople({ isQuiet, touched }: TellPeopleProps): VNode {
  return (
    <>
      {touched.length > 0 && (
        <div class="warned">
          <p>At another address then:</p>
          <BookingLines bookings={touched} />
          <input type="hidden" name="listed" value={listedBookings(touched)} />
        </div>
      )}
      {useContext(PageContext).hasMail && (
        <label class="tick">
          <input type="checkbox" name="mail" value="yes" checked={!isQuiet} />
          Mail the people of these sessions
        </label>
      )}
    </>
  );
}

/** An address that was not removed, since it touches sessions that the page had not listed. */
export interface RefusedRemoval extends TellPeopleProps {
  from: string;
}

export interface ComingAddressesProps {
  coming: readonly DatedAddress[];
  refused: RefusedRemoval | null;
}

/** The addresses that count only later, each with a form that removes it. */
export function ComingAddresses({ coming, refused }: ComingAddressesProps): VNode {
  return (
    <>
      <p class="muted">To change one, save the details with its first day.</p>
      <ul class="notice-list">
        {coming.map((address) => {
          const from = address.from_date;
          const isRefused = refused?.from === from;
          return (
            <li key={from}>
              <h3>From {longDate(from)}</h3>
              <p class="words">
                <bdi>{addressWords(address)}</bdi>
              </p>
              <FoldedForm
                label="Take back"
                of={`the address from ${longDate(from)}`}
                isOpen={isRefused}
                action={`${addressesPath}/remove`}
                hidden={{ from }}
              >
                <TellPeople
                  isQuiet={isRefused && refused.isQuiet}
                  touched={isRefused ? refused.touched : []}
                />
                <button class="small">Take this address back</button>
              </FoldedForm>
            </li>
          );
        })}
      </ul>
    </>
  );
}

export const removeAddressSchema = form({ from: calendarDate, ...tellFields });
