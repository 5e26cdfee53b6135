import type { VNode } from 'preact';
import type { OpenTimes as OpenTimesData, OpenTimesPage } from '../board/open-times.js';
import type { OpenDay } from '../schedule/calendar.js';
import { addDays, weekdayOf } from '../schedule/dates.js';
import type { Slot } from '../schedule/slots.js';
import { dateWords, sessionLengthWords } from '../schedule/words.js';

export interface OpenTimesProps {
  openTimes: OpenTimesData;
  /** The address that a time leads to. */
  linkToSlot: (slot: Slot) => string;
  /** The address of the page of dates that begins with `date`. */
  linkToDate: (date: string) => string;
  /** The window that both open in, where it is not that of the page's other links. */
  target?: '_self';
}

/** The open times of one page of dates as links, and links to all pages of dates. */
export function OpenTimes(props: OpenTimesProps): VNode {
  const { linkToDate, target } = props;
  const { pages, shown, days } = props.openTimes;
  return (
    <section class="open-times" aria-labelledby="open-times">
      <nav aria-label="Dates">
        <ol>
          {pages.map((page) => (
            <li key={page.from}>
              <a
                href={linkToDate(page.from)}
                target={target}
                aria-current={page.from === shown.from ? 'page' : undefined}
              >
                {rangeWords(page, 'short')} <span class="count">{page.openCount} open</span>
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <h2 id="open-times">Open times, {rangeWords(shown, 'long')}</h2>
      <p class="fine">A session takes {sessionLengthWords}.</p>
      {days.length === 0 && <p>Nothing is open on these dates. Please try others.</p>}
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

function Day({ day, linkToSlot, target }: { day: OpenDay } & OpenTimesProps): VNode {
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
          <li key={timeSlot}>
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

/** `Dec 1 – Dec 31`, `December 1 to January 1`. */
function rangeWords({ from, to }: OpenTimesPage, length: 'short' | 'long'): string {
  const words = (date: string): string => {
    const { month, day } = dateWords(date);
    return `${length === 'short' ? month.slice(0, 3) : month}\u00a0${day}`;
  };
  if (from === to) return words(from);
  return `${words(from)} ${length === 'short' ? '–' : 'to'} ${words(to)}`;
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
