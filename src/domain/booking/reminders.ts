import type { ReminderChoice } from '../../database/rows/results.js';
import type { DatabaseServices } from '../../database/services.js';
import { readReminderChoice, updateReminderChoice } from '../../repositories/reminders.js';
import { bookingIdInReminderToken, isReminderToken } from '../../secrets/links.js';

type ReminderServices = Pick<DatabaseServices, 'database' | 'keyring'>;

/** Null if the link is unknown. */
export async function findReminderChoice(
  { database, keyring }: ReminderServices,
  token: string,
): Promise<ReminderChoice | null> {
  const bookingId = bookingIdInReminderToken(token);
  const found = bookingId === null ? null : await readReminderChoice(database, bookingId);
  return found !== null && isReminderToken(keyring, token, found) ? found : null;
}

/** Stops or resumes the reminders of all bookings of the mailbox that the link was sent to. */
export async function changeReminderChoice(
  services: ReminderServices,
  token: string,
  choice: 'stop' | 'resume',
): Promise<void> {
  const found = await findReminderChoice(services, token);
  if (found !== null) await updateReminderChoice(services.database, found.id, choice);
}
