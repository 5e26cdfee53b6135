import type { VNode } from 'preact';
import type { OpenMonth, OpenTimes as OpenTimesData } from '../board/open-times.js';
import type { OpenDay } from '../schedule/calendar.js';
import { addDays, weekdayOf } from '../schedule/dates.js';
import { type Slot, timeSlots } from '../schedule/slots.js';
import { dateWords, momentWords, sessionLengthWords } from '../schedule/words.js';
import { ClockTime } from './parts.js';

export interface OpenTimesProps {
  openTimes: OpenTimesData;
  /** The address that a time leads to. */
  linkToSlot: (slot: Slot) => string;
  /** The address of the month that has `date` in it. */
  linkToDate: (date: string) => string;
  /** The window of these links, if it differs from that of the page's other links. */
  target?: '_self';
}

/** The open times of a month as links, and links to all months. */
export function OpenTimes(props: OpenTimesProps): VNode {
  const { linkToDate, target } = props;
  const { months, shown, days, timezone } = props.openTimes;
  const first = days[0]?.slots[0];
  const { month, year } = dateWords(shown.from);
  const name = year === months[0]?.from.slice(0, 4) ? month : `${month} ${year}`;
  return (
    <section class="open-times" aria-labelledby="open-times">
      <nav aria-label="Months">
        <ol>
          {months.map((each, index) => (
            <li key={each.from}>
              <a
                href={linkToDate(each.from)}
                target={target}
                aria-current={each === shown ? 'page' : undefined}
              >
                {monthWords(each, months[index - 1])}{' '}
                <span class="count">{each.openCount} open</span>
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <h2 id="open-times">Open times in {name}</h2>
      <p class="fine">
        A session takes {sessionLengthWords}.
        {first !== undefined && (
          <>
            {' '}
            The first begins on{' '}
            <ClockTime at={Date.parse(first.startsAt)} timezone={timezone} known={shown.from} />.
          </>
        )}
      </p>
      {days.length === 0 && <p>Nothing is open in {name}. Please try another month.</p>}
      {weeksOf(days).map((week) => (
        <ol class="week" key={week[0]?.date}>
          {week.map((day) => (
            <Day key={day.date} day={day} {...props} />
          ))}
        </ol>
      ))}
    </section>
  );
}

type DayProps = { day: OpenDay } & Pick<OpenTimesProps, 'linkToSlot' | 'target'>;

/** The open times of one day as links. */
export function DayTimes(props: DayProps): VNode {
  return (
    <section class="open-times">
      <ol class="week">
        <Day {...props} />
      </ol>
    </section>
  );
}

function Day({ day, linkToSlot, target }: DayProps): VNode {
  const { date, slots } = day;
  const { weekday, month, day: number } = dateWords(date);
  return (
    <li class={`day ${day.weekday}`}>
      <h3>
        <time dateTime={date}>
          <span class="weekday">{weekday}</span>{' '}
          <span class="date">
            {month.slice(0, 3)} {number}
          </span>
        </time>
      </h3>
      <ul>
        {slots.map(({ timeSlot }) => (
          <li key={timeSlot} class={`at-${timeSlots.indexOf(timeSlot) + 1}`}>
            <a
              class="time"
              href={linkToSlot({ date, timeSlot })}
              target={target}
              aria-label={`${timeSlot} on ${weekday}, ${month} ${number}`}
            >
              {timeSlot}
            </a>
          </li>
        ))}
      </ul>
    </li>
  );
}

/** `December`, with the year where a year begins after the month before. */
function monthWords({ from }: OpenMonth, before: OpenMonth | undefined): string {
  const { month, year } = dateWords(from);
  return before !== undefined && !before.from.startsWith(year) ? `${month} ${year}` : month;
}

/** The days by week, each beginning on Monday. */
function weeksOf(days: readonly OpenDay[]): OpenDay[][] {
  const weeks = new Map<string, OpenDay[]>();
  for (const day of days) {
    const monday = addDays(day.date, 1 - weekdayOf(day.date));
    const week = weeks.get(monday) ?? [];
    week.push(day);
    weeks.set(monday, week);
  }
  return [...weeks.values()];
}
