import type { Test } from 'tap';
import { slotStartsAt, type Slot } from '../../src/calendar/slots.js';
import { recordConflicts } from '../../src/domain/conflicts.js';
import { insertCalendar, setBusy } from './busy-calendars.js';
import { startMailService, type MailService } from './mail-service.js';
import { someOpenSlots } from './requests.js';

export const hourMs = 3_600_000;
/** The example's. */
export const studioAddress = 'hello@nightheron.example';
/** Each mail is tried twice, an hour apart. */
export const retryLater = { MAIL_RETRY_SCHEDULE_SECONDS: '3600' };

/** A service with mail on, open slots, and a calendar that is watched. */
export async function startWatching(t: Test, environment: Record<string, string> = {}) {
  const service = await startMailService(t, environment);
  const { context, smtp } = service;
  const [one, two] = await someOpenSlots(context, 2);
  if (one === undefined || two === undefined) throw new Error('too few open slots');
  const calendarId = await insertCalendar(context, { label: 'Ada’s phone' });
  const { studio } = await context.board.read();
  const startOf = ({ date, timeSlot }: Slot) =>
    slotStartsAt(studio.timezone, date, timeSlot).epochMs;
  return {
    ...service,
    one,
    two,
    calendarId,
    startOf,
    /** The calendar is busy for an hour of each slot. */
    async busyAt(...slots: Slot[]) {
      const hours = slots.map((slot) => [startOf(slot), startOf(slot) + hourMs] as const);
      await setBusy(
        context,
        calendarId,
        ...hours.map(([from, to]): [number, number] => [from, to]),
      );
      return context.database.transaction().execute(recordConflicts);
    },
    /** What arrived, without the mails of the confirmation and the move. */
    async arrived() {
      const mails = await Promise.all(
        smtp.received().map(async ({ to, raw, parsed }) => ({ ...(await parsed()), to, raw })),
      );
      return mails.filter(({ subject }) => /^(Conflict|Calendar)/.test(subject ?? ''));
    },
    async ofKind(kind: 'conflict' | 'calendar_failure') {
      return (await service.mails()).filter((mail) => mail.kind === kind);
    },
  };
}

/** From now on, the mail server refuses every mail for now. */
export function defer({ smtp }: MailService): void {
  smtp.misbehave(({ stage }) => (stage === 'end' ? { code: 451 } : null));
}
