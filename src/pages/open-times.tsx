import type { VNode } from 'preact';
import type { OpenTimes as OpenTimesData } from '../board/open-times.js';
import { useLanguage } from '../locales/context.js';
import type { OpenDay } from '../schedule/calendar.js';
import { addDays, weekdayOf } from '../schedule/dates.js';
import { longestSessionHours, type Slot, timeSlots } from '../schedule/slots.js';
import { timesIn } from '../schedule/times.js';
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
  const language = useLanguage();
  const { t, rich } = language;
  const { monthWords } = timesIn(language);
  const first = days[0]?.slots[0];
  const month = monthWords(shown.from, months[0]?.from);
  return (
    <section class="open-times" aria-labelledby="open-times">
      <nav aria-label={t('open_times.months')}>
        <ol>
          {months.map((each, index) => (
            <li key={each.from}>
              <a
                href={linkToDate(each.from)}
                target={target}
                aria-current={each === shown ? 'page' : undefined}
              >
                {rich('open_times.month', {
                  // The year is named where it begins after the month before.
                  month: monthWords(each.from, (months[index - 1] ?? each).from),
                  open: each.openCount,
                  count: (words) => <span class="count">{words}</span>,
                })}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <h2 id="open-times">{t('open_times.heading', { month })}</h2>
      <p class="fine">
        {t('open_times.length', { hours: longestSessionHours })}
        {first !== undefined && (
          <>
            {' '}
            {rich('open_times.first', {
              moment: (
                <ClockTime at={Date.parse(first.startsAt)} timezone={timezone} known={shown.from} />
              ),
            })}
          </>
        )}
      </p>
      {days.length === 0 && <p>{t('open_times.none', { month })}</p>}
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
  const language = useLanguage();
  const { dateWords, dayWords, shortDate, slotWords } = timesIn(language);
  return (
    <li class={`day ${day.weekday}`}>
      <h3>
        <time dateTime={date}>
          <span class="weekday">{dateWords(date).weekday}</span>{' '}
          <span class="date">{shortDate(date)}</span>
        </time>
      </h3>
      <ul>
        {slots.map(({ timeSlot }) => (
          <li key={timeSlot} class={`at-${timeSlots.indexOf(timeSlot) + 1}`}>
            <a
              class="time"
              href={linkToSlot({ date, timeSlot })}
              target={target}
              aria-label={language.t('open_times.slot', {
                time: slotWords(timeSlot),
                day: dayWords(date, date),
              })}
            >
              {slotWords(timeSlot)}
            </a>
          </li>
        ))}
      </ul>
    </li>
  );
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
