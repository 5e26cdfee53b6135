import {
  type BookingToImport,
  importBookings,
  type ImportedBooking,
} from '../../domain/imports.js';
import { mailIsOff } from '../../domain/mail-admin.js';
import type { PersonMember } from '../../domain/person.js';
import { readMode } from '../../repositories/installation.js';
import { slotStartingAt } from '../../schedule/slots.js';
import { bookingLabel } from '../../schedule/words.js';
import { scheduleLines } from '../booking-text.js';
import type { StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import { cellOf, chooseColumns, type Columns, type Field } from '../import/columns.js';
import { importAndReport, refuse, type ReportRow, skip } from '../import/report.js';
import {
  addImportCommand,
  fieldsOf,
  importHelp,
  type ImportOptions,
  readRows,
} from '../import/rows.js';
import { openSource, type Source, type Times } from '../import/source.js';
import type { SourceRow } from '../import/table.js';
import { localTime, shortId } from '../text.js';
import { withReader } from './calendar-check.js';

export function addBookingImportCommand(bookings: StaffCommand): void {
  addImportCommand(bookings, 'add the bookings of another system, from its export')
    .option('--mail', 'mail each person a confirmation, and later a reminder')
    .explain(`
Imported bookings are confirmed, and nobody is mailed without --mail. As with "bookings add", closures,
notice, limits and the weekly schedule do not bind the studio: the report tells of them.
${importHelp}

Examples:
  studio bookings import cal-com.csv --dry-run
  studio bookings import acuity.csv --time-zone America/New_York
  studio bookings import old.csv --map "name=Client" --map "start=Day + Hour" --yes
  studio bookings import bookings.ics --skip-refused`)
    .run((run, file: string, options: ImportOptions & { mail?: true }) =>
      withReader(run, async (services) => {
        if (options.mail === true && !(await readMode(services.database)).mail) {
          throw new StaffError('refused', mailIsOff);
        }
        const source = await openSource(services, file, { ...options, hasFree: false });
        const fields = fieldsOf(source, {
          others: ['name', 'email', 'phone', 'pronouns', 'idea'],
          needed: ['name'],
          times: ['start'],
        });
        const columns = await chooseColumns(run, source, fields, options);
        const read = readBookings(source, columns);
        await importAndReport(
          run,
          'booking',
          { source, columns, read, options },
          {
            work: (given, { dryRun }) =>
              importBookings(services, run.actor, given, {
                dryRun,
                skipRefused: options.skipRefused === true,
                isMailed: options.mail === true,
              }),
            describe,
          },
        );
      }),
    );
}

interface ReadBooking extends BookingToImport {
  line: number;
  notes: string[];
}

function readBookings(source: Source, columns: Columns): (ReadBooking | ReportRow)[] {
  const partsOf = (row: SourceRow, field: Field) =>
    cellOf(row, columns.get(field)).split(/\s*;\s*/);
  // Cal.com lists all who attend.
  const attendees = (row: SourceRow) => partsOf(row, 'email').length;
  const first = (row: SourceRow, field: Field) =>
    (attendees(row) > 1 ? partsOf(row, field)[0] : cellOf(row, columns.get(field))) ?? '';
  const nameOf = (row: SourceRow) => first(row, 'name');
  return readRows(source, columns, nameOf, (row, { start: { at, isDate, from } }: Times) => {
    const when = localTime(new Date(at), source.timezone);
    const about = { line: row.line, who: nameOf(row), when };
    if (isDate) return { ...about, ...refuse('unreadable', 'it has a date and no time') };
    const slot = slotStartingAt(source.timezone, at);
    const notes = from === null ? [] : [from];
    if (attendees(row) > 1) notes.push(`others attend: ${attendees(row) - 1}`);
    if (slot === null) {
      const why = [`no session begins at ${when.slice(11)}`, ...notes].join('; ');
      return { ...about, ...refuse('no_such_session', why) };
    }
    const text = (field: Field) => cellOf(row, columns.get(field));
    const optional = (['phone', 'pronouns', 'idea'] as const).filter((field) => text(field) !== '');
    const person = {
      name: about.who,
      email: first(row, 'email') || null,
      ...Object.fromEntries(optional.map((field) => [field, text(field)])),
    };
    return { line: row.line, notes, slot, person };
  });
}

const memberWords: Record<PersonMember, string> = {
  name: 'the name is missing or too long',
  email: 'the e-mail address is invalid',
  phone: 'the phone number is not a ten-digit US number',
  pronouns: 'the pronouns are longer than 40 characters',
  idea: 'the idea is longer than 2,000 characters',
};

function describe({ line, notes, slot, person }: ReadBooking, result: ImportedBooking): ReportRow {
  const about = { line, when: bookingLabel(slot), who: person.name };
  switch (result.outcome) {
    case 'imported': {
      const { schedule, id } = result;
      return {
        ...about,
        result: 'import',
        reason: schedule === 'open' ? null : schedule,
        notes: [...notes, ...scheduleLines(schedule)],
        created: { date: slot.date, time_slot: slot.timeSlot, booking_id: id },
      };
    }
    case 'duplicate': {
      const what = result.isStillBooked
        ? 'it is there'
        : 'it was there, and was moved or cancelled since';
      const where = result.id === null ? ' in this file' : `: ${shortId(result.id)}`;
      return { ...about, ...skip('duplicate', `${what}${where}`) };
    }
    case 'past':
      return { ...about, ...skip('past', 'it is over') };
    case 'taken': {
      const by = result.by === null ? ' in this file' : ` by ${shortId(result.by)}`;
      return { ...about, ...refuse('taken', `the time is taken${by}`) };
    }
    case 'no_such_slot':
      return { ...about, ...refuse('no_such_session', 'there is no such session') };
    case 'invalid':
      return { ...about, ...refuse('invalid', memberWords[result.member]) };
  }
}
