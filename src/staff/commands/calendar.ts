import type { TimeSlot } from '../../../generated/schemas.js';
import { onlyRow } from '../../database/rows.js';
import { type ExplainedSlot, explainSlots } from '../../domain/studio-days.js';
import type { SlotState } from '../../schedule/calendar.js';
import { date, timeSlot } from '../arguments.js';
import type { StaffCommand } from '../command.js';
import { localTime, shortId, slotsText } from '../text.js';
import { addFeedCommands } from './calendar-feed.js';
import { addWatchCommands } from './calendar-watch.js';

export function addCalendarCommands(program: StaffCommand): void {
  const calendar = program
    .command('calendar')
    .description('the bookings in calendar programs, and calendars that close slots');
  addFeedCommands(calendar);
  addWatchCommands(calendar);

  calendar
    .command('why')
    .description('tell why a session can be booked or not')
    .argument('<date>', 'its date, such as 2026-12-24', date)
    .argument('<session>', 'its time, such as "1:00 PM"', timeSlot)
    .explain('\nExample:\n  studio calendar why 2026-12-24 "1:00 PM"')
    .run(async ({ services, print }, day: string, session: TimeSlot) => {
      const slot = { date: day, timeSlot: session };
      const explained = onlyRow(await explainSlots(services, [slot]));
      print(explainedData(explained), () => [
        `${slotsText(day, day, session)}: ${stateWords[explained.state]}`,
        ...reasonsText(explained),
      ]);
    });
}

const stateWords: Readonly<Record<SlotState, string>> = {
  open: 'can be booked.',
  taken: 'is booked.',
  held: 'is held.',
  no_session: 'the week has no session then.',
  closed: 'is closed.',
  past: 'has begun.',
  too_soon: 'begins too soon to be booked.',
  too_far: 'is too far ahead to be booked.',
};

function reasonsText(explained: ExplainedSlot): string[] {
  const { closures, busy, timezone, isInWeek, isOpened, state } = explained;
  const isOutside = !isInWeek && state !== 'no_session';
  return [
    ...(isOutside ? ['  The week has no session then.'] : []),
    ...(isOpened ? ['  It is opened on this date.'] : []),
    ...closures.map(({ id, from_date, to_date, time_slot, reason }) => {
      const why = reason === '' ? '' : `: ${reason}`;
      return `  Closure ${shortId(id)}, ${slotsText(from_date, to_date, time_slot)}${why}`;
    }),
    ...busy.map(({ calendarId, label, startsAt, endsAt }) => {
      const times = `${localTime(startsAt, timezone)} to ${localTime(endsAt, timezone)}`;
      return `  Watched calendar ${label} (${shortId(calendarId)}), busy ${times}`;
    }),
  ];
}

function explainedData({ state, isInWeek, isOpened, closures, busy }: ExplainedSlot) {
  return {
    state,
    in_week: isInWeek,
    opened: isOpened,
    closures: closures.map(({ id, from_date, to_date, time_slot, reason }) => ({
      ...{ id, from_date, to_date, time_slot, reason },
    })),
    busy: busy.map(({ calendarId, label, startsAt, endsAt }) => ({
      calendar_id: calendarId,
      label,
      starts_at: startsAt,
      ends_at: endsAt,
    })),
  };
}
