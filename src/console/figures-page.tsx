import { Type } from '@sinclair/typebox';
import type { VNode } from 'preact';
import { daysAfterToday } from '../board/availability.js';
import { studioFigures, type StudioFigures } from '../board/pulse.js';
import type { DomainServices } from '../domain/deps.js';
import {
  type ChannelFigures,
  type Figures,
  readFigures,
  type WeekFigures,
} from '../domain/studio/lists.js';
import { figureCsv, type MonthFigures, readMonthFigures } from '../domain/studio/month-figures.js';
import { namedArtists } from '../schedule/artists.js';
import { addDays } from '../schedule/dates.js';
import { dateWords } from '../schedule/words.js';
import { type PageScope, query } from '../web/forms.js';
import { privatePageHeaders } from '../web/send-page.js';
import { figureNames, figuresCsvPath, figuresPath, MonthTable } from './month-figures.js';

interface FiguresPageProps {
  figures: MonthFigures;
  weeks: WeekFigures[];
  now: StudioFigures;
}

/** A month's sessions by artist; then holds, their ends and their lead times, by week and channel. */
function FiguresPage({ figures, weeks, now }: FiguresPageProps): VNode {
  const { open_slots, pending_holds, confirmed_upcoming } = now;
  return (
    <>
      <p>
        Now: {pending_holds} held, {confirmed_upcoming} to come, and {open_slots} open in the next{' '}
        {daysAfterToday + 1} days.
      </p>
      <MonthTable figures={figures} />
      <h2>Holds by week</h2>
      <p class="muted">
        By the week in which a hold was placed. Confirmed: of these holds, also if cancelled later.
        Lead: the median of the days from the hold to the session. What you added was never held,
        and only its number is shown.
      </p>
      <table class="figures weeks">
        <thead>
          <tr>
            <th scope="col">Week</th>
            <th scope="col">Holds</th>
            <th scope="col">Confirmed</th>
            <th scope="col">Lead</th>
          </tr>
        </thead>
        {weeks.map(({ week, total, channels }) => (
          <tbody key={week}>
            <tr class="week-total">
              <th scope="rowgroup">{weekWords(week)}</th>
              <Numbers {...total} />
            </tr>
            {channels.map((each) => (
              <tr key={`${each.channel ?? ''} ${each.platform ?? ''}`}>
                <th scope="row">{channelName(each)}</th>
                <Numbers {...each} />
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </>
  );
}

function Numbers({ holds, added, confirmed, leadDays }: Figures): VNode {
  if (holds === 0 && added > 0) {
    return (
      <>
        <td>–</td>
        <td>{added}</td>
        <td>–</td>
      </>
    );
  }
  return (
    <>
      <td>{holds}</td>
      <td>{holds === 0 ? '–' : `${Math.round((confirmed / holds) * 100)} %`}</td>
      <td>{leadDays === null ? '–' : `${Math.max(0, leadDays).toFixed(1)} d`}</td>
    </>
  );
}

/** `Nov 23 – 29`, `Nov 30 – Dec 6`. */
function weekWords(monday: string): string {
  const [first, last] = [dateWords(monday), dateWords(addDays(monday, 6))];
  const short = ({ month, day }: typeof first) => `${month.slice(0, 3)} ${day}`;
  return `${short(first)} – ${first.month === last.month ? last.day : short(last)}`;
}

function channelName({ channel, platform }: ChannelFigures): string {
  if (channel === null) return 'Not recorded';
  return figureNames[channel].replace('Assistants', platform ?? 'Assistants');
}

const weeksShown = 12;

/** A month, such as `2026-11`. */
const schema = query({
  month: Type.String({ pattern: String.raw`^(?!0000)\d{4}-(0[1-9]|1[0-2])$` }),
});

/** `/console/figures`: a month's sessions, also as a file, and how bookings come, week by week. */
export function registerFigures(scope: PageScope, context: DomainServices): void {
  const readMonth = async (month: string | undefined) => {
    const state = await context.board.read();
    return readMonthFigures(context, state.studio.timezone, namedArtists(state), month ?? null);
  };

  scope.get(figuresPath, { schema }, async (request, reply) => {
    const figures = await readMonth(request.query.month);
    const weeks = await readFigures(context, weeksShown);
    const now = studioFigures(await context.board.read());
    const children = <FiguresPage {...{ figures, weeks, now }} />;
    return reply.showPage({ section: 'figures', title: 'Figures', children });
  });

  scope.get(figuresCsvPath, { schema }, async (request, reply) => {
    const figures = await readMonth(request.query.month);
    return reply
      .headers(privatePageHeaders)
      .header('content-disposition', `attachment; filename="figures-${figures.month}.csv"`)
      .type('text/csv; charset=utf-8')
      .send(figureCsv(figures));
  });
}
