import type { CalendarServices } from '../board/services.js';
import { addDays, weekdayOf } from '../schedule/dates.js';
import { todayInZone } from '../schedule/slots.js';
import { readFigureRows, type FigureRow } from '../repositories/figures.js';

export type Figures = Pick<FigureRow, 'holds' | 'confirmed' | 'leadDays'>;
export type ChannelFigures = Pick<FigureRow, 'channel' | 'platform'> & Figures;

export interface WeekFigures {
  /** Its Monday. */
  week: string;
  total: Figures;
  /** The channels with holds in this week, the busiest first. */
  channels: ChannelFigures[];
}

/**
 * How many holds were placed, how many of them were confirmed, and how long before the session, in each
 * of the last ISO weeks on the studio's clocks; the running week first. Bookings that the studio added
 * count as holds of its own.
 */
export async function readFigures(
  { board, clock, database }: Pick<CalendarServices, 'board' | 'clock' | 'database'>,
  weeks: number,
): Promise<WeekFigures[]> {
  const { timezone } = (await board.read()).studio;
  const rows = await readFigureRows(database, timezone, weeks);
  const today = todayInZone(timezone, clock.now());
  const monday = addDays(today, 1 - weekdayOf(today));
  return Array.from({ length: weeks }, (_, index) => {
    const week = addDays(monday, -7 * index);
    const ofWeek = rows.filter((row) => row.week === week);
    const total = ofWeek.find(({ isTotal }) => isTotal);
    return {
      week,
      total: total ?? { holds: 0, confirmed: 0, leadDays: null },
      channels: ofWeek.filter(({ isTotal }) => !isTotal),
    };
  });
}
