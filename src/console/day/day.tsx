import type { VNode } from 'preact';
import type { BookingRow, ClosureRow } from '../../database/schema.js';
import { readOpenQuestions } from '../../domain/closed-days.js';
import type { DomainServices } from '../../domain/deps.js';
import { readNews } from '../../domain/news.js';
import {
  type ExplainedSlot,
  explainSlots,
  readStudioDays,
  type StudioDay,
  type StudioDays,
} from '../../domain/studio-days.js';
import { addDays } from '../../schedule/dates.js';
import { slotKey } from '../../schedule/slots.js';
import { dateWords } from '../../schedule/words.js';
import { calendarDate, type PageScope, query, text } from '../../web/forms.js';
import { closureDates, RemoveClosure } from '../hours/closure-parts.js';
import {
  doneOnDayMessages,
  home,
  linkToAdd,
  linkToBooking,
  linkToClosure,
  linkToDay,
  linkToNewClosure,
  linkToNewOpening,
  linkToSickDays,
  undecidedPath,
} from '../links.js';
import { longDate, longDay } from '../moment.js';
import { Unseen } from '../parts.js';
import { isRefresh, sessionOf } from '../session.js';
import { NewsList } from './news.js';
import { ClosedWords, isInConflict, SlotCard, slotWord } from './slot-card.js';

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
  /** Why each of the slots can be booked or not, by its key. */
  why: ReadonlyMap<string, ExplainedSlot>;
}

/** A day with all that is known of its sessions, and the week in short. */
function DayPage({ days, today, timezone, undecided, why, news }: DayPageProps): VNode {
  const [first] = days;
  if (first === undefined) throw new RangeError('a page without days');
  const after = (days: number) => linkToDay(addDays(first.date, days));
  const ways: (readonly [label: string, href: string])[] = [
    ['Day before', after(-1)],
    ...(first.date === today ? [] : [['Today', home] as const]),
    ['Day after', after(1)],
    ['Week before', after(-7)],
    ['Week after', after(7)],
  ];
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
      <ClosedDay day={first} closures={dayClosures(first, why)} />
      <ol class="slots">
        {first.slots.map((slot) => (
          <SlotCard
            key={slotKey(slot)}
            slot={slot}
            timezone={timezone}
            why={why.get(slotKey(slot))}
            isUndecided={undecided.some(({ id }) => id === slot.booking?.id)}
          />
        ))}
      </ol>
      {first.date >= today && (
        <p class="acts">
          <a class="button quiet small" href={linkToAdd(first)}>
            Add a booking
          </a>
          <a class="button quiet small" href={linkToSickDays(first.date)}>
            I cannot work {first.isToday ? 'today' : 'on this day'}
          </a>
        </p>
      )}
      <nav class="days-nav" aria-label="Days">
        {ways.map(([label, href]) => (
          <a key={label} class="button quiet small" href={href}>
            {label}
          </a>
        ))}
        <form action="/console" class="inline">
          <label>
            <Unseen>Day</Unseen>
            <input type="date" name="date" value={first.date} required />
          </label>
          <button class="quiet small">Show</button>
        </form>
      </nav>
      {news}
      <h2>The week</h2>
      <ol class="agenda">
        {days.map((day) => (
          <WeekDay key={day.date} day={day} closures={dayClosures(day, why)} />
        ))}
      </ol>
    </>
  );
}

/** The closures of the whole day. */
function dayClosures(
  { slots }: StudioDay,
  why: ReadonlyMap<string, ExplainedSlot>,
): readonly ClosureRow[] {
  const [first] = slots;
  const explained = first && why.get(slotKey(first));
  return explained?.closures.filter(({ time_slot }) => time_slot === null) ?? [];
}

const bookingsStay = ['', ' A booking stays.', ' Two bookings stay.', ' Three bookings stay.'];

/** That the day is closed, why, and the way to open it again. */
function ClosedDay({ day, closures }: { day: StudioDay; closures: readonly ClosureRow[] }): VNode {
  const { length } = day.slots.filter(({ booking, isOver }) => booking !== null && !isOver);
  return (
    // An element of each page, so that a closure appears on one that is open.
    <div class="closed-day" data-key={`closed ${day.date}`}>
      {closures.map((closure) => (
        <div key={closure.id} class="notice">
          <p>
            <ClosedWords closure={closure} />.{bookingsStay[length]}
          </p>
          {closure.from_date !== closure.to_date && <p class="muted">{closureDates(closure)}</p>}
          <RemoveClosure closure={closure} day={day.date} />
        </div>
      ))}
    </div>
  );
}

function WeekDay({ day, closures }: { day: StudioDay; closures: readonly ClosureRow[] }): VNode {
  const { weekday, month, day: number } = dateWords(day.date);
  const words = longDay(day.date);
  return (
    <li class={day.isToday ? 'day today' : 'day'}>
      <h3>
        <a href={linkToDay(day.date)}>
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
              {slot.booking !== null ? (
                <div>
                  {/* Of its own direction, so that a name that is cut keeps its beginning. */}
                  <a href={linkToBooking(slot.booking.id)} class="word" dir="auto">
                    {word}
                  </a>
                  {state === 'held' && <span class="muted"> held</span>}
                  {isInConflict(slot) && <span class="conflict"> conflict</span>}
                </div>
              ) : slot.isOver ? (
                <span class="word">{word}</span>
              ) : (
                <a href={linkToAdd(slot)} class="word">
                  {word}
                  <Unseen>
                    : add a booking on {words} at {slot.timeSlot}
                  </Unseen>
                </a>
              )}
            </li>
          );
        })}
      </ul>
      <p class={closures.length === 0 ? 'fine' : 'fine why'} data-key={`day ${day.date}`}>
        {closures.map((closure) => (
          <span key={closure.id}>
            <ClosedWords closure={closure} />.{' '}
            <a href={linkToClosure(closure.id, day.date)}>
              Open again<Unseen> {words}</Unseen>
            </a>
          </span>
        ))}
        {closures.length === 0 && (
          <a href={linkToNewClosure(day.date)}>
            Close<Unseen> {words}</Unseen>
          </a>
        )}
        {day.slots.some(({ schedule }) => schedule === 'no_session') && (
          <>
            {' '}
            <a href={linkToNewOpening(day.date)}>
              Open<Unseen> {words}</Unseen>
            </a>
          </>
        )}
      </p>
    </li>
  );
}

const daysShown = 7;

/** `/console`: a day and the week that it begins, kept up to date while the page is open. */
export function registerDays(scope: PageScope, context: DomainServices): void {
  // People type a slash.
  scope.get('/console/', (_request, reply) => reply.redirect('/console', 301));

  const shown = { schema: query({ done: text, date: calendarDate }) };
  scope.get('/console', shown, async (request, reply) => {
    const { date: from = null } = request.query;
    const days = await readStudioDays(context, { from, count: daysShown });
    const slots = days.days.flatMap((day) => day.slots);
    const [{ undecided }, explained] = await Promise.all([
      readOpenQuestions(context),
      explainSlots(context, slots),
    ]);
    const why = new Map(explained.map((each) => [slotKey(each), each]));
    const { today } = days;
    const news =
      from !== null && from !== today
        ? null
        : NewsList({
            news: await readNews(context, sessionOf(request).name, !isRefresh(request)),
            today,
          });
    return reply.showPage({
      section: 'today',
      title: dayTitle(days),
      messages: doneOnDayMessages,
      children: DayPage({ ...days, undecided, why, news }),
    });
  });
}
