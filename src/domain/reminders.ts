import type { DatabaseServices } from '../database/services.js';
import {
  readReminderChoice,
  updateReminderChoice,
  type ReminderChoice,
} from '../repositories/reminders.js';
import { bookingIdOfReminderToken } from '../secrets/links.js';

type ReminderServices = Pick<DatabaseServices, 'database' | 'keyring'>;

/** Null if the link is unknown. */
export async function findReminderChoice(
  { database, keyring }: ReminderServices,
  token: string,
): Promise<ReminderChoice | null> {
  const bookingId = bookingIdOfReminderToken(keyring, token);
  return bookingId === null ? null : readReminderChoice(database, bookingId);
}

/** Stops or resumes the reminders of all bookings of the mailbox that the link was sent to. */
export async function changeReminderChoice(
  { database, keyring }: ReminderServices,
  token: string,
  choice: 'stop' | 'resume',
): Promise<void> {
  const bookingId = bookingIdOfReminderToken(keyring, token);
  if (bookingId !== null) await updateReminderChoice(database, bookingId, choice);
}
