import type { ComponentChildren } from 'preact';
import type { AuditAction } from '../../database/schema.js';
import { isUuid } from '../../platform/uuid.js';
import { WEEKDAYS } from '../../schedule/dates.js';
import { linkToBooking } from '../links.js';

const actions: Record<AuditAction, string> = {
  'info set': 'Changed the studio’s details or notices',
  'hours set': 'Changed hours',
  'closures add': 'Closed dates',
  'closures remove': 'Opened dates again',
  'openings add': 'Opened a day outside the week',
  'openings remove': 'Closed an opened day again',
  'bookings add': 'Added a booking',
  'bookings move': 'Moved a booking',
  'bookings correct': 'Corrected a booking’s details',
  'bookings note': 'Changed the note of a booking',
  'bookings keep': 'Kept a booking on a closed day',
  'bookings ask': 'Asked a person to choose another time',
  'bookings cancel': 'Cancelled a booking',
  'bookings no-show': 'Recorded who did not come',
  'bookings forget': 'Erased personal data',
  'keys revoke': 'Revoked API keys',
  'platforms add': 'Added a platform',
  'platforms set': 'Changed a platform',
  'platforms remove': 'Removed a platform',
  'webhooks disable': 'Disabled a webhook',
  'webhooks enable': 'Enabled a webhook',
  'webhooks redeliver': 'Sent webhooks again',
  'mail resend': 'Sent a mail again',
  'mail off': 'Switched mail off',
  'confirmation link': 'Switched confirmation to the link alone',
  'console link': 'Made a sign-in link',
  'console sign-in': 'Signed in',
  'console sign-in refused': 'Was refused a sign-in',
  'console sessions end': 'Ended sign-ins',
  'console passkeys add': 'Added a passkey',
  'console passkeys remove': 'Removed a passkey',
  'calendar feed add': 'Made an address for calendars',
  'calendar feed rotate': 'Replaced an address for calendars',
  'calendar feed remove': 'Removed an address for calendars',
  'calendar watch add': 'Began to watch a calendar',
  'calendar watch move': 'Followed a calendar to its new address',
  'calendar watch remove': 'Stopped watching a calendar',
  'personal data erase': 'Erased personal data past its time',
  backup: 'Made a backup',
  restore: 'Restored a backup',
};

/** What was done; an action that only a later version knows, as that names it. */
export function actionWords(action: string): string {
  return Object.hasOwn(actions, action) ? actions[action as AuditAction] : action;
}

/** The details whose ids are those of bookings. */
const bookingNames: readonly string[] = ['booking_id', 'cancelled_bookings', 'decided_bookings'];

/** What is plain from its value. */
const unnamed: readonly string[] = ['date', 'time_slot'];

export interface Detail {
  name: string;
  value: ComponentChildren;
}

/** The details of an action by name, without the empty ones; ids are short, and those of bookings lead there. */
export function detailWords(details: Record<string, unknown>): Detail[] {
  return Object.entries(details)
    .filter(([, value]) => !isEmpty(value))
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, value]) => ({
      name: nameWords(name),
      value: valueWords(value, bookingNames.includes(name)),
    }));
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** `cancelled_bookings`: `cancelled bookings`; `mail_id`: `mail`. */
function nameWords(name: string): string {
  return name
    .replace(/_id(s?)$/, '$1')
    .replaceAll('_', ' ')
    .replace(/^api key/, 'API key');
}

function valueWords(value: unknown, isBooking: boolean): ComponentChildren {
  if (Array.isArray(value)) {
    const separator = typeof value[0] === 'object' ? '; ' : ', ';
    return value.flatMap((each, index) => [
      index > 0 ? separator : '',
      valueWords(each as unknown, isBooking),
    ]);
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'object' && value !== null) return objectWords(value);
  const text = String(value);
  if (!isUuid(text)) return <bdi>{text}</bdi>;
  const short = text.slice(0, 8);
  return isBooking ? <a href={linkToBooking(text)}>{short}</a> : short;
}

/** A slot is `2026-12-01 9:00 AM`, and a weekday its name; of anything else the names are said, too. */
function objectWords(value: object): ComponentChildren {
  return Object.entries(value)
    .filter(([, each]) => !isEmpty(each))
    .sort(([one], [other]) => Number(other === 'weekday') - Number(one === 'weekday'))
    .flatMap(([name, each]: [string, unknown], index) => [
      index > 0 ? ' ' : '',
      ...(name === 'weekday' && typeof each === 'number'
        ? [WEEKDAYS[each - 1]]
        : [
            unnamed.includes(name) ? '' : `${nameWords(name)} `,
            valueWords(each, bookingNames.includes(name)),
          ]),
    ]);
}
