import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeLifetimeSeconds } from '../config/limits.js';
import type { BookingMailKind } from '../database/rows/mails.js';
import type { ChangeInSlot, EventType } from '../database/rows/schema.js';
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
  code_proven_at: null,
  cancellation_reason: null,
  closed_day_choice: null,
  studio_word: null,
};

const asked = {
  closed_day_choice: 'asked',
  studio_word: 'I am ill, and sorry. Please choose another time.',
} as const;

interface Example {
  kind: BookingMailKind;
  /** The event of the mail, which keeps the slot. */
  type?: ChangeInSlot;
  data?: Partial<MailEvent['data']>;
  booking?: Partial<MailedBooking>;
}

/** The types of the events that mails are made of, but for changes that keep the slot. */
const typeOf: Record<BookingMailKind, EventType | null> = {
  confirmation: 'booking.confirmed',
  move: 'booking.moved',
  cancellation: 'booking.cancelled',
  reminder: 'booking.confirmed',
  conflict: 'booking.conflict',
  code: null,
};

/** Examples by their names, which begin with the recipient. */
const examples: Record<string, Example> = {
  'person-confirmation': { kind: 'confirmation' },
  'person-confirmation-at-new-address': {
    kind: 'confirmation',
    type: 'booking.corrected',
    data: { sequence: 2, by: 'studio' },
  },
  'person-move-by-person': { kind: 'move', data: { by: 'person' } },
  'person-move-by-studio': { kind: 'move', data: { by: 'studio' } },
  'person-new-address': {
    kind: 'move',
    type: 'booking.readdressed',
    data: { by: 'studio' },
  },
  'person-zone-data': {
    kind: 'move',
    type: 'booking.retimed',
    data: { by: 'service' },
  },
  'person-cancellation-by-person': { kind: 'cancellation', data: { by: 'person' } },
  'person-cancellation-by-studio': {
    kind: 'cancellation',
    data: { by: 'studio' },
    booking: {
      cancellation_reason: 'The artist is ill.\nWe are sorry, and keep your design for you.',
      studio_word: 'We owe you one.',
    },
  },
  'person-reminder': { kind: 'reminder' },
  'person-asked-for-another-time': {
    kind: 'move',
    type: 'booking.asked',
    data: { by: 'studio', has_word: true },
    booking: asked,
  },
  'person-kept': { kind: 'move', type: 'booking.kept', data: { by: 'studio' } },
  'person-reminder-of-another-time': { kind: 'reminder', booking: asked },
  'person-code-to-confirm': { kind: 'code', data: { status: 'pending', confirmed_at: null } },
  'person-code-to-change': { kind: 'code' },
  'studio-confirmation': { kind: 'confirmation' },
  'studio-move': { kind: 'move', data: { by: 'person' } },
  'studio-cancellation': { kind: 'cancellation', data: { by: 'person' } },
  'studio-conflict': { kind: 'conflict' },
  'studio-undecided': { kind: 'conflict', data: { left_undecided: [id] } },
  'studio-undecided-reminder': { kind: 'reminder' },
};

/** One mail of each kind and recipient, as the studio's settings make them, by its name. @internal */
export function exampleMails(settings: ExampleSettings): Map<string, MailFacts> {
  const mails = new Map<string, MailFacts>();
  for (const [name, example] of Object.entries(examples)) {
    const recipient = name.startsWith('person') ? 'person' : 'studio';
    mails.set(name, exampleFacts(settings, recipient, example));
  }
  return mails
    .set(
      'studio-calendar-failure',
      exampleCalendarFacts(settings, {
        ...{ kind: 'failing', error: 'status', statusCode: 404 },
        since: failingSince,
      }),
    )
    .set(
      'studio-calendar-read-in-part',
      exampleCalendarFacts(settings, {
        kind: 'in part',
        unreadable: { count: 1, lines: [{ line: 214, reason: 'zone' }] },
      }),
    );
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
  recipient: BookingMailFacts['recipient'],
  { kind, type, data = {}, booking: changedBooking = {} }: Example,
): BookingMailFacts {
  const { timezone } = studio;
  const start = slotStartsAt(timezone, slot.date, slot.timeSlot);
  const endsAtText = zonedText(sessionEndsAt(start.epochMs, timezone, openingHours), timezone);
  const instant = occurredAt.toISOString();
  const changed = { sequence: kind === 'confirmation' ? 1 : 2, ...data };
  return {
    kind,
    recipient,
    event: {
      type: type ?? typeOf[kind],
      occurredAt,
      sequence: changed.sequence,
      data: {
        id,
        status: kind === 'cancellation' ? 'cancelled' : 'confirmed',
        date: slot.date,
        time_slot: slot.timeSlot,
        starts_at_text: start.iso,
        ends_at_text: endsAtText,
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
      recipient === 'studio' && (kind === 'reminder' || data.left_undecided !== undefined)
        ? [
            {
              ...booking,
              date: slot.date,
              time_slot: slot.timeSlot,
              ends_at_text: endsAtText,
              artist_name: null,
            },
          ]
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
  for (const [name, facts] of exampleMails(settings)) {
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
