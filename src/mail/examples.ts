import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeLifetimeSeconds } from '../config/limits.js';
import type { BookingMailKind, MailRecipient } from '../database/mail-tables.js';
import { sessionEndsAt, type Slot, slotStartsAt, zonedText } from '../schedule/slots.js';
import { bookingLabel } from '../schedule/words.js';
import type {
  BookingMailFacts,
  CalendarMailFacts,
  MailedCalendar,
  MailedBooking,
  MailEvent,
  MailFacts,
} from './mail-facts.js';
import { renderMail } from './render.js';

export type ExampleSettings = Pick<BookingMailFacts, 'studio' | 'openingHours' | 'from'> & {
  publicBaseUrl: string;
};

/** A mail about an invented person, and the name of its files. */
export interface ExampleMail {
  name: string;
  facts: MailFacts;
}

const id = '5d2f9c1e-7a64-4c0b-9a43-1f0e8d6b2c75';
const slot: Slot = { date: '2026-12-01', timeSlot: '9:00 AM' };
const formerSlot: Slot = { date: '2026-11-27', timeSlot: '1:00 PM' };
const occurredAt = new Date('2026-11-22T18:30:00Z');

const booking: MailedBooking = {
  id,
  name: 'Ada Example',
  email: 'ada@example.com',
  phone: '5555550142',
  pronouns: 'she/her',
  idea: 'A night heron in fine line on the left forearm, about the length of a hand.\nIt stands on one leg, and looks away.',
  channel: 'mcp',
  confirmed_via: 'link',
  cancellation_reason: null,
  closed_day_choice: null,
  studio_word: null,
};

/** One mail of each kind and recipient, as the studio's settings make them. @internal */
export function exampleMails(settings: ExampleSettings): ExampleMail[] {
  const example = (
    name: string,
    kind: BookingMailKind,
    recipient: MailRecipient,
    change: Partial<MailEvent['data']> = {},
    changedBooking: Partial<MailedBooking> = {},
  ): ExampleMail => ({
    name,
    facts: exampleFacts(settings, kind, recipient, change, changedBooking),
  });
  const reason = {
    cancellation_reason: 'The artist is ill.\nWe are sorry, and keep your design for you.',
    studio_word: 'We owe you one.',
  };
  const asked = {
    closed_day_choice: 'asked',
    studio_word: 'I am ill, and sorry. Please choose another time.',
  } as const;
  return [
    example('person-confirmation', 'confirmation', 'person'),
    example('person-confirmation-at-new-address', 'confirmation', 'person', {
      ...{ sequence: 2, by: 'studio', change: 'details' },
    }),
    example('person-move-by-person', 'move', 'person', { by: 'person' }),
    example('person-move-by-studio', 'move', 'person', { by: 'studio' }),
    example('person-new-address', 'move', 'person', { by: 'studio', change: 'address' }),
    example('person-zone-data', 'move', 'person', { by: 'service', change: 'zone_data' }),
    example('person-cancellation-by-person', 'cancellation', 'person', { by: 'person' }),
    example('person-cancellation-by-studio', 'cancellation', 'person', { by: 'studio' }, reason),
    example('person-reminder', 'reminder', 'person'),
    example(
      ...(['person-asked-for-another-time', 'move', 'person'] as const),
      { by: 'studio', change: 'asked', has_word: true },
      asked,
    ),
    example('person-kept', 'move', 'person', { by: 'studio', change: 'kept' }),
    example('person-reminder-of-another-time', 'reminder', 'person', {}, asked),
    example('person-code-to-confirm', 'code', 'person', { status: 'pending', confirmed_at: null }),
    example('person-code-to-change', 'code', 'person'),
    example('studio-confirmation', 'confirmation', 'studio'),
    example('studio-move', 'move', 'studio', { by: 'person' }),
    example('studio-cancellation', 'cancellation', 'studio', { by: 'person' }),
    example('studio-conflict', 'conflict', 'studio'),
    example('studio-undecided', 'conflict', 'studio', { left_undecided: [id] }),
    example('studio-undecided-reminder', 'reminder', 'studio'),
    {
      name: 'studio-calendar-failure',
      facts: exampleCalendarFacts(settings, {
        ...{ kind: 'failing', error: 'status', statusCode: 404 },
        since: failingSince,
      }),
    },
    {
      name: 'studio-calendar-read-in-part',
      facts: exampleCalendarFacts(settings, {
        kind: 'in part',
        unreadable: { count: 1, lines: [{ line: 214, reason: 'zone' }] },
      }),
    },
  ];
}

const failingSince = new Date(occurredAt.getTime() - 2 * 3_600_000);

function exampleCalendarFacts(
  { studio, from, publicBaseUrl }: ExampleSettings,
  problem: MailedCalendar['problem'],
): CalendarMailFacts {
  return {
    kind: 'calendar_failure',
    event: { occurredAt },
    calendar: {
      label: 'Ada’s phone',
      readAt: new Date(failingSince.getTime() - 600_000),
      problem,
    },
    studio,
    from,
    consoleUrl: `${publicBaseUrl}/console/calendars`,
  };
}

function exampleFacts(
  { studio, openingHours, from, publicBaseUrl }: ExampleSettings,
  kind: BookingMailKind,
  recipient: MailRecipient,
  change: Partial<MailEvent['data']>,
  changedBooking: Partial<MailedBooking>,
): BookingMailFacts {
  const { timezone } = studio;
  const start = slotStartsAt(timezone, slot.date, slot.timeSlot);
  const instant = occurredAt.toISOString();
  const changed = { sequence: kind === 'confirmation' ? 1 : 2, ...change };
  return {
    kind,
    recipient,
    event: {
      occurredAt,
      sequence: changed.sequence,
      data: {
        id,
        status: kind === 'cancellation' ? 'cancelled' : 'confirmed',
        date: slot.date,
        time_slot: slot.timeSlot,
        starts_at_text: start.iso,
        ends_at_text: zonedText(sessionEndsAt(start.epochMs, timezone, openingHours), timezone),
        timezone,
        label: bookingLabel(slot),
        created_at: instant,
        expires_at: instant,
        confirmed_at: instant,
        cancelled_at: kind === 'cancellation' ? instant : null,
        expired_at: null,
        ...(kind === 'move' && {
          from: slotSnapshot(timezone, formerSlot),
          to: slotSnapshot(timezone, slot),
        }),
        ...changed,
      },
    },
    booking: { ...booking, ...changedBooking },
    studio,
    openingHours,
    from,
    checkoutUrl: `${publicBaseUrl}/checkout/example-of-a-secret-link`,
    bookUrl: `${publicBaseUrl}/book`,
    stopRemindersUrl: `${publicBaseUrl}/reminders/example-of-a-secret-link`,
    consoleUrl: `${publicBaseUrl}/console/bookings/${id}`,
    undecided:
      recipient === 'studio' && (kind === 'reminder' || change.left_undecided !== undefined)
        ? [{ ...booking, date: slot.date, time_slot: slot.timeSlot, ends_at_text: null }]
        : null,
    undecidedUrl: `${publicBaseUrl}/console/closures/undecided`,
    code:
      kind === 'code'
        ? {
            digits: '048315',
            lapsesAt: new Date(occurredAt.getTime() + codeLifetimeSeconds * 1000),
          }
        : null,
  };
}

function slotSnapshot(timezone: string, { date, timeSlot }: Slot) {
  const starts_at = slotStartsAt(timezone, date, timeSlot).iso;
  return { date, time_slot: timeSlot, starts_at };
}

/**
 * Writes an example of every mail as files: `.html`, `.txt` with the subject, and `.ics` if it has a
 * calendar part. Creates the folder; replaces files of the same names.
 *
 * @returns their paths
 */
export async function writePreviews(folder: string, settings: ExampleSettings): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const paths: string[] = [];
  for (const { name, facts } of exampleMails(settings)) {
    const { subject, html, text, calendar } = await renderMail(facts);
    const files = {
      html,
      txt: `Subject: ${subject}\n\n${text}`,
      ...(calendar !== null && { ics: calendar.content }),
    };
    for (const [extension, content] of Object.entries(files)) {
      const path = join(folder, `${name}.${extension}`);
      await writeFile(path, content);
      paths.push(path);
    }
  }
  return paths;
}
