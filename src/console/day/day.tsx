import type { VNode } from 'preact';
import type { BookingRow } from '../../database/schema.js';
import { readOpenQuestions } from '../../domain/closed-days.js';
import type { DomainServices } from '../../domain/deps.js';
import { readNews } from '../../domain/news.js';
import { readStudioDays, type StudioDay, type StudioDays } from '../../domain/studio-days.js';
import { addDays } from '../../schedule/dates.js';
import { slotKey } from '../../schedule/slots.js';
import { dateWords } from '../../schedule/words.js';
import { calendarDate, type PageScope, query, text } from '../../web/forms.js';
import {
  doneMessages,
  linkToBooking,
  linkToDay,
  linkToNewClosure,
  linkToNewOpening,
  linkToSickDays,
  undecidedPath,
} from '../links.js';
import { longDate, longDay, momentFormat } from '../moment.js';
import { doneMessage, type ShowPage } from '../pages.js';
import { isRefresh, sessionOf } from '../session.js';
import { NewsList } from './news.js';
import { isInConflict, SlotCard, slotWord } from './slot-card.js';

/** `Today, Tuesday, December 1`. */
function dayTitle({ days, today }: StudioDays): string {
  const date = days[0]?.date ?? today;
  if (date === today) return `Today, ${longDay(date)}`;
  return dateWords(date).year === dateWords(today).year ? longDay(date) : longDate(date);
}

interface DayPageProps extends StudioDays {
  /** On the page of today; null on others. */
  news: VNode | null;
  /** The sessions on closed days that are not decided, also of other weeks. */
  undecided: readonly BookingRow[];
}

/** A day with all that is known of its sessions, and the week in short. */
function DayPage({ days, today, timezone, undecided, news }: DayPageProps): VNode {
  const [first] = days;
  if (first === undefined) throw new RangeError('a page without days');
  return (
    <>
      <p class="trouble" id="stale" role="status" hidden>
        This page is not up to date: the connection is lost. It tries again by itself.
      </p>
      {/* By its key, a page of a fixed date notices that the date is no longer today. */}
      <p class="visually-hidden" id="news" role="status" data-key={`today ${today}`} />
      {undecided.length > 0 && (
        <p class="notice">
          {undecided.length === 1 ? 'A session is' : `${undecided.length} sessions are`} on days
          that you closed. <a href={undecidedPath}>Decide</a>
        </p>
      )}
      <ol class="slots">
        {first.slots.map((slot) => (
          <SlotCard
            key={slotKey(slot)}
            slot={slot}
            timezone={timezone}
            isUndecided={undecided.some(({ id }) => id === slot.booking?.id)}
          />
        ))}
      </ol>
      {news}
      {first.date >= today && (
        <p>
          <a class="button quiet small" href={linkToSickDays(first.date)}>
            I cannot work {first.isToday ? 'today' : 'on this day'}
          </a>
        </p>
      )}
      <nav class="days-nav" aria-label="Days">
        <a class="button quiet small" href={linkToDay(addDays(first.date, -7))}>
          Week before
        </a>
        {first.date !== today && (
          <a class="button quiet small" href="/console">
            Today
          </a>
        )}
        <a class="button quiet small" href={linkToDay(addDays(first.date, 7))}>
          Week after
        </a>
        <form action="/console" class="inline">
          <label>
            <span class="visually-hidden">Day</span>
            <input type="date" name="date" value={first.date} required />
          </label>
          <button class="quiet small">Show</button>
        </form>
      </nav>
      <h2>The week</h2>
      <ol class="agenda">
        {days.map((day) => (
          <WeekDay key={day.date} day={day} />
        ))}
      </ol>
    </>
  );
}

function WeekDay({ day }: { day: StudioDay }): VNode {
  const { weekday, month, day: number } = dateWords(day.date);
  const words = longDay(day.date);
  return (
    <li class={day.isToday ? 'day today' : 'day'}>
      <h3>
        <a href={linkToDay(day.date)} aria-label={words}>
          <span class="weekday">{weekday.slice(0, 3)}</span>{' '}
          <span class="number">
            {month.slice(0, 3)} {number}
          </span>
        </a>
      </h3>
      <ul>
        {day.slots.map((slot) => {
          const { state, word } = slotWord(slot);
          return (
            <li key={slot.timeSlot} class={`cell ${state}`} data-key={`week ${slotKey(slot)}`}>
              <span class="hour">{slot.timeSlot.replace(':00', '')}</span>{' '}
              {slot.booking === null ? (
                <span class="word">{word}</span>
              ) : (
                <div>
                  <a href={linkToBooking(slot.booking.id)} class="word">
                    <bdi>{word}</bdi>
                    {state === 'held' && <span class="muted"> held</span>}
                  </a>
                  {isInConflict(slot) && <span class="conflict"> conflict</span>}
                </div>
              )}
            </li>
          );
        })}
      </ul>
      <p class="fine">
        <a href={linkToNewClosure(day.date)}>
          Close<span class="visually-hidden"> {words}</span>
        </a>
        {day.slots.some(({ schedule }) => schedule === 'no_session') && (
          <>
            {' '}
            <a href={linkToNewOpening(day.date)}>
              Open<span class="visually-hidden"> {words}</span>
            </a>
          </>
        )}
      </p>
    </li>
  );
}

const daysShown = 7;

/** `/console`: a day and the week that it begins, kept up to date while the page is open. */
export function registerDays(scope: PageScope, context: DomainServices, showPage: ShowPage): void {
  // People type a slash.
  scope.get('/console/', (_request, reply) => reply.redirect('/console', 301));

  const shown = { schema: query({ done: text, date: calendarDate }) };
  scope.get('/console', shown, async (request, reply) => {
    const { date: from = null } = request.query;
    const days = await readStudioDays(context, { from, count: daysShown });
    const { undecided } = await readOpenQuestions(context);
    const format = momentFormat(days.timezone, context.clock.now());
    const news =
      from !== null && from !== days.today
        ? null
        : NewsList({
            news: await readNews(context, sessionOf(request).name, !isRefresh(request)),
            today: days.today,
            format,
          });
    return showPage(request, reply, {
      section: 'today',
      title: dayTitle(days),
      done: doneMessage(request, doneMessages),
      children: DayPage({ ...days, undecided, news }),
    });
  });
}
