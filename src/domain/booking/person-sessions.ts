import type { CalendarState } from '../../board/board.js';
import type { BookingRow } from '../../database/rows/schema.js';
import type { DatabaseServices } from '../../database/services.js';
import {
  listSessionsOfCaller,
  type PersonOfCaller,
  type Time,
} from '../../repositories/person-sessions.js';
import { withoutTimes } from '../../schedule/busy-times.js';

/**
 * The board without the times at which the person has a session of the same caller, so that none is
 * offered. With one artist these are taken anyway, and it costs no query.
 */
export async function stateForPerson(
  { database }: Pick<DatabaseServices, 'database'>,
  state: CalendarState,
  person: PersonOfCaller,
): Promise<CalendarState> {
  if (state.artists.length === 1) return state;
  return withoutTimes(state, await listSessionsOfCaller(database, person));
}

/** The person of a booking, and who placed it. */
export function personOfBooking(booking: BookingRow): PersonOfCaller {
  const { id, caller_network_hash: network, api_key_id: key } = booking;
  return { ...booking, networkHashes: [network], apiKeyIds: [key], exceptId: id };
}

/** The time of a booking. */
export function timeOf({ date, starts_at: startsAt, ends_at: endsAt }: BookingRow): Time {
  return { date, startsAt, endsAt };
}
