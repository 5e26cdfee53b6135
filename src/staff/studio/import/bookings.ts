import {
  type BookingToImport,
  importBookings,
  type ImportedBooking,
} from '../../../domain/studio/imports.js';
import { mailIsOff } from '../../../domain/studio/mail-admin.js';
import { slotStartingAt } from '../../../schedule/slots.js';
import { bookingLabel, labelWith } from '../../../schedule/words.js';
import { wholeNumber } from '../../arguments.js';
import type { ArtistNames } from '../../artist-names.js';
import type { Run, StaffCommand } from '../../command.js';
import { StaffError } from '../../failure.js';
import { withReader } from '../../operator/calendar-check.js';
import { localTime, shortId } from '../../text.js';
import { scheduleLines } from '../booking-text.js';
import {
  addArtistAnswers,
  type ArtistOptions,
  type ArtistReader,
  createArtistReader,
} from './artists.js';
import { cellOf, chooseColumns, type Columns } from './columns.js';
import { readPerson } from './details.js';
import type { Field } from './headings.js';
import { importAndReport, refuse, type ReportRow, skip } from './report.js';
import { addImportCommand, fieldsOf, importHelp, type ImportOptions, readRows } from './rows.js';
import { openSource, type Source, type Times } from './source.js';
import type { SourceRow } from './table.js';

type BookingImportOptions = ImportOptions & ArtistOptions & { mail?: true; anyway?: number[] };

export function addBookingImportCommand(bookings: StaffCommand): void {
  addArtistAnswers(
    addImportCommand(bookings, 'add the bookings of another system, from its export'),
  )
    .option('--mail', 'mail each person a confirmation, and later a reminder')
    .option(
      '--anyway <line>',
      'import this row although its person is booked then with another artist; repeatable',
      (text: string, before: number[] = []) => [...before, wholeNumber(1, 1e9)(text)],
    )
    .explain(`
Imported bookings are confirmed, and nobody is mailed without --mail. As with "bookings add", closures,
notice, limits and the weekly schedule do not bind the studio: the report tells of them. Where the studio
has several artists, the report says whom each row gets: the one that its column names, or --artist, or
one who is free. What cannot be stored of a phone number and other details goes into the studio's note.
${importHelp}

Examples:
  studio bookings import cal-com.csv --dry-run
  studio bookings import acuity.csv --time-zone America/New_York
  studio bookings import old.csv --map "name=Client" --map "start=Day + Hour" --yes
  studio bookings import old.csv --status "Storniert=skip" --artist "Jonathan=Jon"
  studio bookings import bookings.ics --artist Mara --skip-refused`)
    .run((run, file: string, options: BookingImportOptions) =>
      withReader(run, async (services) => {
        const { studio, mode, artists, names } = run;
        if (options.mail === true && !mode.mail) {
          throw new StaffError('refused', mailIsOff);
        }
        const own = ownAddresses(run);
        const { timezone } = studio;
        const source = await openSource(services, file, {
          ...options,
          ...{ timezone, hasFree: false, own },
        });
        const ofSeveral: Field[] = artists.length > 1 ? ['artist'] : [];
        const fields = fieldsOf(source, {
          others: ['name', 'email', 'phone', 'pronouns', 'idea', ...ofSeveral],
          needed: ['name'],
          times: ['start'],
        });
        const columns = await chooseColumns(run, source, fields, options);
        const read = readBookings(source, columns, {
          ...options,
          own,
          artistOf: createArtistReader(artists, options),
        });
        const isNamed = options.artist !== undefined || columns.get('artist')?.length !== 0;
        const remarks = ofSeveral.length > 0 && !isNamed && read.length > 0 ? [unnamed] : [];
        await importAndReport(
          run,
          'booking',
          { source, columns, read, options, remarks },
          {
            work: (given, { dryRun }) =>
              importBookings(services, run.actor, given, {
                dryRun,
                skipRefused: options.skipRefused === true,
                isMailed: options.mail === true,
              }),
            describe: (booking: ReadBooking, result: ImportedBooking) =>
              describe(booking, result, names),
          },
        );
      }),
    );
}

const unnamed =
  'Nothing in the file says whose sessions these are: each is with an artist who is free. Name one with --artist, or the column with --map "artist=…".';

/** The addresses that are no client's, in lower case, each with its artist's name, or empty. */
function ownAddresses({ config: { mail }, studio: { email }, artists }: Run): Map<string, string> {
  const studio = [email, mail?.from.address ?? ''].map((address) => [address, ''] as const);
  const theirs = artists.map((artist) => [artist.email ?? '', artist.name] as const);
  const all = [...theirs, ...studio].filter(([address]) => address !== '');
  return new Map(all.map(([address, name]) => [address.toLowerCase(), name]));
}

interface ReadBooking extends BookingToImport {
  line: number;
  notes: string[];
}

interface ReadingOptions extends Pick<BookingImportOptions, 'status' | 'anyway'> {
  own: ReadonlyMap<string, string>;
  artistOf: ArtistReader;
}

function readBookings(
  source: Source,
  columns: Columns,
  { status, anyway = [], own, artistOf }: ReadingOptions,
): (ReadBooking | ReportRow)[] {
  const isOwn = (address: string) => own.has(address.trim().toLowerCase());
  const text = (row: SourceRow, field: Field) => cellOf(row, columns.get(field));
  // Cal.com lists all who attend; its "Insights" have name and address in one cell.
  const clientOf = (row: SourceRow) => {
    const partsOf = (field: Field) =>
      text(row, field)
        .split(';')
        .map((part) => part.trim());
    const emails = partsOf('email');
    const first = Math.max(
      0,
      emails.findIndex((address) => !isOwn(address)),
    );
    const [name = '', email = ''] = (['name', 'email'] as const).map((field) =>
      emails.length > 1 ? partsOf(field)[first] : text(row, field),
    );
    const [, before, address = ''] =
      /^([^(<]+) [(<]([^\s()<>@]+@[^\s()<>@]+)[)>]$/.exec(name) ?? [];
    const others = emails.filter((each) => !isOwn(each)).length - 1;
    return { name: before ?? name, email: email || address, others };
  };
  const who = (row: SourceRow) => clientOf(row).name;
  return readRows(source, columns, status, who, (row, { start: { at, isDate, from } }: Times) => {
    const when = localTime(new Date(at), source.timezone);
    const { name, email, others } = clientOf(row);
    const about = { line: row.line, who: name, when };
    if (isDate) return { ...about, ...refuse('unreadable', 'it has a date and no time') };
    if (/[\ufffd\u0080-\u009f]/.test(name)) {
      return { ...about, ...refuse('unreadable', 'a character of the name is lost') };
    }
    const artist = artistOf(text(row, 'artist'));
    if ('result' in artist) return { ...about, ...artist };
    const slot = slotStartingAt(source.timezone, at);
    const notes = from === null ? [] : [from];
    if (others > 0) notes.push(`others attend: ${others}`);
    if (slot === null) {
      const why = [`no session begins at ${when.slice(11)}`, ...notes].join('; ');
      return { ...about, ...refuse('no_such_session', why) };
    }
    const [phone = '', pronouns = '', idea = ''] = (['phone', 'pronouns', 'idea'] as const).map(
      (field) => text(row, field),
    );
    const { person, note, told } = readPerson({ name, email, phone, pronouns, idea }, isOwn);
    const isSecondChair = anyway.includes(row.line);
    return {
      ...{ line: row.line, notes: [...notes, ...told] },
      ...{ slot, person, note, artistId: artist.id, isSecondChair },
    };
  });
}

function describe(
  { line, notes, slot, person }: ReadBooking,
  result: ImportedBooking,
  names: ArtistNames,
): ReportRow {
  const about = { line, when: bookingLabel(slot), who: person.name };
  switch (result.outcome) {
    case 'imported': {
      const { schedule, id, artistId } = result;
      return {
        ...about,
        when: labelWith(about.when, names.nameOf(artistId)),
        result: 'import',
        reason: schedule === 'open' ? null : schedule,
        notes: [...notes, ...scheduleLines(schedule)],
        created: {
          ...{ date: slot.date, time_slot: slot.timeSlot, booking_id: id },
          ...names.data(artistId),
        },
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
    case 'double_booked': {
      const by = result.by === null ? ' in this file' : `: ${shortId(result.by)}`;
      const why = `its person is booked then with another artist${by} (--anyway ${line})`;
      return { ...about, ...refuse('double_booked', why) };
    }
    case 'no_such_slot':
      return { ...about, ...refuse('no_such_session', 'there is no such session') };
    case 'invalid':
      return { ...about, ...refuse('invalid', 'the name is missing or too long') };
  }
}
