import {
  type ClosureToImport,
  importClosures,
  type ImportedClosure,
} from '../../../domain/studio/closure-imports.js';
import { maxClosureReasonLength } from '../../../domain/studio/closures.js';
import { lineValue } from '../../../icalendar/ical-values.js';
import type { ArtistNames } from '../../artist-names.js';
import type { StaffCommand } from '../../command.js';
import { StaffError } from '../../failure.js';
import { withReader } from '../../operator/calendar-check.js';
import { count, localTime, slotsText } from '../../text.js';
import { bookingTable } from '../booking-text.js';
import { cellOf, chooseColumns, type Columns } from './columns.js';
import { importAndReport, refuse, type ReportRow, skip } from './report.js';
import { addImportCommand, fieldsOf, importHelp, type ImportOptions, readRows } from './rows.js';
import { openSource, type Source, type Times } from './source.js';
import type { SourceRow } from './table.js';

export function addClosureImportCommand(closures: StaffCommand): void {
  addImportCommand(closures, 'close the sessions during the events of another calendar')
    .explain(`
A session is closed that an event overlaps, and a day of which all are; with artists whose weeks differ,
for those whose session it overlaps. Bookings in it stay, undecided: see "closures decide".
${importHelp}

Examples:
  studio closures import holidays.ics --dry-run
  studio closures import holidays.ics --to 2028-12-31 --yes
  studio closures import away.csv --map "start=First day" --map "end=Last day" --map "reason=Why"`)
    .run((run, file: string, options: ImportOptions) =>
      withReader(run, async (services) => {
        const source = await openSource(services, file, {
          ...options,
          ...{ timezone: run.studio.timezone, hasFree: true },
        });
        const fields = fieldsOf(source, {
          others: ['reason'],
          needed: [],
          times: ['start', 'end'],
        });
        const columns = await chooseColumns(run, source, fields, options);
        const read = readClosures(source, columns, options);
        await importAndReport(
          run,
          'closure',
          { source, columns, read, options },
          {
            work: (given, { dryRun }) => importClosures(services, run.actor, given, { dryRun }),
            describe: (row: ReadClosure, result: ImportedClosure) =>
              describe(run.names, row, result),
            remarks: ({ affectedBookings }) =>
              affectedBookings.length === 0
                ? []
                : [
                    `Undecided ("studio closures decide"): ${count(affectedBookings.length, 'booking')}`,
                    ...bookingTable(services, affectedBookings),
                  ],
          },
        );
      }),
    );
}

interface ReadClosure extends ClosureToImport {
  line: number;
  when: string;
  notes: string[];
}

const dayMs = 86_400_000;
const maxDays = 3_660;
/** The limit of all rows: what is closed is written under the lock of the slots. */
const maxDaysOfFile = 20_000;

function readClosures(
  source: Source,
  columns: Columns,
  { status }: Pick<ImportOptions, 'status'>,
): (ReadClosure | ReportRow)[] {
  const reasonOf = (row: SourceRow) => lineValue(cellOf(row, columns.get('reason')));
  let days = 0;
  return readRows(source, columns, status, reasonOf, (row, { start, end }: Times) => {
    const last = end ?? start;
    // A last date is closed as well, and of a calendar the end is exact.
    const endsAt = last.isDate && source.hasTimeColumns ? last.at + dayMs : last.at;
    const when = [start.at, endsAt]
      .map((at) => localTime(new Date(at), source.timezone))
      .join(' to ');
    const { line } = row;
    const reason = [...reasonOf(row)].slice(0, maxClosureReasonLength).join('');
    const about = { line, when, who: reason };
    if (endsAt === start.at && end !== null) {
      return { ...about, ...skip('no_session', 'it takes no time') };
    }
    const lasts = (endsAt - start.at) / dayMs;
    if (end === null && lasts === 0) return { ...about, ...refuse('unreadable', 'it has no end') };
    if (lasts < 0) return { ...about, ...refuse('unreadable', 'it ends before it begins') };
    if (lasts > maxDays) {
      return { ...about, ...refuse('unreadable', 'it lasts longer than ten years') };
    }
    days += Math.ceil(lasts);
    if (days > maxDaysOfFile) {
      const limit = maxDaysOfFile.toLocaleString('en-US');
      throw new StaffError('refused', `The events last longer than ${limit} days: split the file.`);
    }
    const notes = start.from === null ? [] : [start.from];
    return { line, when, notes, startsAt: start.at, endsAt, reason };
  });
}

function describe(
  names: ArtistNames,
  { line, when, notes, reason: who }: ReadClosure,
  result: ImportedClosure,
): ReportRow {
  const about = { line, when, who };
  switch (result.outcome) {
    case 'imported': {
      const words = result.closures.map(
        ({ fromDate, toDate, timeSlot, artistId = null }) =>
          `${slotsText(fromDate, toDate, timeSlot)}${names.words(artistId)}`,
      );
      const closed = result.closures.map(
        ({ fromDate: from, toDate: to, timeSlot: time_slot, artistId = null }) => {
          return { from, to, time_slot, ...names.data(artistId) };
        },
      );
      return {
        ...about,
        result: 'import',
        reason: null,
        created: { closed },
        notes: [`closes ${words.join(', ')}`, ...notes],
      };
    }
    case 'duplicate':
      return { ...about, ...skip('duplicate', 'it is closed already') };
    case 'past':
      return { ...about, ...skip('past', 'it is over') };
    case 'no_session':
      return { ...about, ...skip('no_session', 'it overlaps no session') };
  }
}
