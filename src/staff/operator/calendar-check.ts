import { readFile, stat } from 'node:fs/promises';
import {
  checkCalendar,
  type CheckedCalendar,
  type CheckedSource,
} from '../../domain/studio/calendar-check.js';
import type { WatchServices } from '../../domain/studio/watched-calendars.js';
import {
  calendarErrorWords,
  type CalendarFileReader,
  unreadableReasons,
} from '../../icalendar/calendar-reader.js';
import { calendarLimits } from '../../icalendar/read/limits.js';
import { createCalendarReader } from '../../icalendar/read/reader.js';
import { createTargetGuard } from '../../outbound/target-guard.js';
import { noMetrics } from '../../platform/metrics/metrics.js';
import { date } from '../arguments.js';
import { openKeyring } from '../command-context.js';
import type { Run, StaffCommand } from '../command.js';
import { StaffError } from '../failure.js';
import type { StaffServices } from '../session.js';
import { count, facts, localTime, slotsText } from '../text.js';

type ReadCalendar = CheckedCalendar & { outcome: 'read' };

export function addCheckCommand(watch: StaffCommand): void {
  watch
    .command('check')
    .description('read a file or an address, and tell what it would close; nothing is stored')
    .argument('<source>', 'a file in iCal format, or an address (https: or webcal:)')
    .option('--from <date>', 'the first date (default: today)', date)
    .option('--to <date>', 'the last date (default: the last bookable one)', date)
    .explain(`
Tells when the calendar is busy, which sessions that would close, which lines cannot be read, and how
its time zones are understood.

Examples:
  studio calendar watch check ada.ics
  studio calendar watch check https://calendar.example.com/private/ada.ics --from 2026-12-01 --json`)
    .run((run, source: string, dates: { from?: string; to?: string }) =>
      withReader(run, async (services) => {
        const checked = await checkCalendar(services, await openSource(source), dates);
        const read = expectRead(checked);
        run.print(checkData(read), () => checkText(read));
      }),
    );
}

async function openSource(source: string): Promise<CheckedSource> {
  if (/^(https?|webcal):/i.test(source)) return { address: source };
  return { body: await readBoundedFile(source, calendarErrorWords('too_large', null)) };
}

/** @throws StaffError `not_found`, or `refused` with the sentence when it is larger than a calendar may be */
export async function readBoundedFile(file: string, tooLarge: string): Promise<Uint8Array> {
  try {
    const found = await stat(file);
    // A pipe has no size, and may never end.
    if (!found.isFile()) throw new StaffError('refused', `${file} is no file.`);
    if (found.size > calendarLimits.bodyBytes) throw new StaffError('refused', tooLarge);
    return await readFile(file);
  } catch (error) {
    if (error instanceof StaffError) throw error;
    throw new StaffError('not_found', `The file ${file} cannot be opened.`);
  }
}

function expectRead(checked: CheckedCalendar): ReadCalendar {
  switch (checked.outcome) {
    case 'read':
      return checked;
    case 'refused':
      throw new StaffError('refused', checked.message);
    case 'failed': {
      const why = calendarErrorWords(checked.error, checked.statusCode);
      throw new StaffError('refused', `It cannot be read: ${why}`);
    }
    case 'aborted':
      throw new StaffError('interrupted', 'It was not read.');
  }
}

function checkData({ busy, slots, unreadable, zones }: ReadCalendar): Record<string, unknown> {
  return {
    busy: busy.map(({ startsAt, endsAt }) => ({
      starts_at: new Date(startsAt),
      ends_at: new Date(endsAt),
    })),
    slots: slots.map(({ date, timeSlot }) => ({ date, time_slot: timeSlot })),
    unreadable: unreadable.lines,
    zones,
  };
}

function checkText({ busy, slots, unreadable, zones, timezone }: ReadCalendar): string[] {
  const more = unreadable.count - unreadable.lines.length;
  return [
    `Busy: ${count(busy.length, 'interval')} (times in ${timezone})`,
    ...busy.map(
      ({ startsAt, endsAt }) =>
        `  ${localTime(new Date(startsAt), timezone)} to ${localTime(new Date(endsAt), timezone)}`,
    ),
    `Closes: ${count(slots.length, 'session')}`,
    ...slots.map(({ date, timeSlot }) => `  ${slotsText(date, date, timeSlot)}`),
    ...(unreadable.count === 0 ? [] : [`Cannot be read: ${count(unreadable.count, 'line')}`]),
    ...unreadable.lines.map(({ line, reason }) => `  line ${line}: ${unreadableReasons[reason]}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(Object.keys(zones).length === 0 ? [] : ['Time zones:']),
    ...facts(Object.entries(zones)).map((line) => `  ${line}`),
  ];
}

/** The services of commands that read calendars. */
export type ReadingServices = StaffServices &
  WatchServices & { calendarReader: CalendarFileReader };

/** Opens the services for reading calendars. Ctrl-C ends a read: a running service repeats it. */
export async function withReader(
  { config, services, context: { interrupted } }: Run,
  work: (services: ReadingServices) => Promise<void>,
): Promise<void> {
  const keyring = await openKeyring(services);
  const policy = { allowPrivateTargets: config.webhookAllowPrivateTargets };
  const calendarReader = createCalendarReader(policy);
  const stop = (): void => void calendarReader.close();
  interrupted.addEventListener('abort', stop);
  try {
    await work({
      ...services,
      keyring,
      calendarReader,
      webhookTargets: createTargetGuard(policy),
      metrics: noMetrics,
    });
  } finally {
    interrupted.removeEventListener('abort', stop);
    await calendarReader.close();
  }
}
