import type { ComponentChildren } from 'preact';
import type { TimeSlot } from '../../../generated/schemas.js';
import type { AuditAction } from '../../database/rows/schema.js';
import { bookingDetails, type NamedBooking } from '../../domain/studio/lists.js';
import { isUuid } from '../../platform/uuid.js';
import { isCalendarDate, WEEKDAYS } from '../../schedule/dates.js';
import { slotOf, timeSlots } from '../../schedule/slots.js';
import { PersonLink } from '../bookings/words.js';
import { ShortDayAndHours } from '../moment.js';

const actions: Record<AuditAction, string> = {
  'info set': 'Changed the studio’s details or notices',
  'hours set': 'Changed hours',
  'hours remove': 'Removed hours of dates',
  'artists add': 'Added an artist',
  'artists set': 'Changed an artist',
  'artists hours': 'Changed the week of an artist',
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
  'bookings copy': 'Copied personal data',
  'bookings forget': 'Erased personal data',
  'clients note': 'Changed the note of a client',
  'keys revoke': 'Revoked API keys',
  'platforms add': 'Added a platform',
  'platforms set': 'Changed a platform',
  'platforms remove': 'Removed a platform',
  'webhooks disable': 'Disabled a webhook',
  'webhooks enable': 'Enabled a webhook',
  'webhooks redeliver': 'Sent webhooks again',
  'mail resend': 'Sent a mail again',
  'mail dismiss': 'Dismissed failed mail',
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
  'retention resume': 'Let deleting by age resume',
  'left-out dismiss': 'Did without what an import left out',
  backup: 'Made a backup',
  restore: 'Restored a backup',
  export: 'Exported all data',
  import: 'Imported an export',
  'database move': 'Moved the data to a database server',
};

/** The words of an action; one of a later version keeps its name. */
export function actionWords(action: string): string {
  return Object.hasOwn(actions, action) ? actions[action as AuditAction] : action;
}

/** Ids that other details explain better. */
const hidden: readonly string[] = ['mail_id', 'closure_id'];

export interface Detail {
  /** Empty if the value needs no name. */
  name: string;
  value: ComponentChildren;
}

type NamedBookings = ReadonlyMap<string, NamedBooking>;

/**
 * The details of an action, without the empty ones: bookings by their persons, with links, and slots as
 * sessions. Other ids are shortened.
 */
export function detailWords(details: Record<string, unknown>, bookings: NamedBookings): Detail[] {
  const { booking_id, date, time_slot, ...others } = details;
  const slot = isSlot({ date, time_slot }) ? { '': { date, time_slot } } : { date, time_slot };
  const sorted = Object.entries(others).sort(([one], [other]) => one.localeCompare(other));
  return Object.entries({ booking_id, ...slot, ...Object.fromEntries(sorted) })
    .filter(([name, value]) => !isEmpty(value) && !hidden.includes(name))
    .map(([name, value]) => ({
      name: name === 'booking_id' ? '' : nameWords(name),
      value: valueWords(value, bookingDetails.includes(name) ? bookings : null),
    }));
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
  );
}

/** The words of a name: `cancelled_bookings`: `cancelled bookings`; `mail_id`: `mail`. */
function nameWords(name: string): string {
  return name
    .replace(/_id(s?)$/, '$1')
    .replaceAll('_', ' ')
    .replace(/^api key/, 'API key');
}

/** The words of a value. `bookings`: those that an id can name. */
function valueWords(value: unknown, bookings: NamedBookings | null = null): ComponentChildren {
  if (Array.isArray(value)) {
    const separator = typeof value[0] === 'object' ? '; ' : ', ';
    return value.flatMap((each, index) => [
      index > 0 ? separator : '',
      valueWords(each as unknown, bookings),
    ]);
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'object' && value !== null) return objectWords(value);
  const text = String(value);
  if (bookings !== null) {
    const booking = bookings.get(text);
    return booking === undefined ? 'a booking' : <PersonLink booking={booking} />;
  }
  if (isUuid(text)) return text.slice(0, 8);
  return <bdi>{text === 'pending' ? 'held' : text}</bdi>;
}

function isSlot(
  value: object,
): value is { date: string; time_slot: TimeSlot; artist_name?: string } {
  const { date, time_slot } = value as { date?: unknown; time_slot?: unknown };
  return isCalendarDate(String(date)) && timeSlots.includes(time_slot as TimeSlot);
}

/** The name of a weekday; for anything else but a slot, the names of what is in it. */
function objectWords(value: object): ComponentChildren {
  if (isSlot(value)) {
    return <ShortDayAndHours of={{ ...slotOf(value), artistName: value.artist_name }} />;
  }
  return Object.entries(value)
    .filter(([, each]) => !isEmpty(each))
    .sort(([one], [other]) => Number(other === 'weekday') - Number(one === 'weekday'))
    .flatMap(([name, each]: [string, unknown], index) => [
      index > 0 ? ' ' : '',
      ...(name === 'weekday' && typeof each === 'number'
        ? [WEEKDAYS[each - 1]]
        : [`${nameWords(name)} `, valueWords(each)]),
    ]);
}
