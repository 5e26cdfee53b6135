import type { VNode } from 'preact';
import type { TimeSlot } from '../../../generated/schemas.js';
import type { CalendarState } from '../../board/board.js';
import { studioFigures } from '../../board/pulse.js';
import { bookedSlot } from '../../domain/booking/booked-slot.js';
import type { SlotChange } from '../../domain/booking/recent-changes.js';
import { slotKey, slotOf } from '../../schedule/slots.js';
import { dateWords, timeOfDay } from '../../schedule/words.js';
import { linkToBook } from '../../web/book-link.js';
import { Moon } from '../../web/layout.js';
import { SessionTime } from '../parts.js';
import { comingDays, type DayView, type SlotView } from './days.js';

export interface PresentProps {
  state: CalendarState;
  changes: readonly SlotChange[];
  holdLifetimeSeconds: number;
}

/**
 * The part of the front page that is updated live: the calendar and the latest changes. It does not say
 * how many times are held or booked. On each server-sent event, the page's script fetches it again and
 * replaces the elements with a `data-key` whose content has changed.
 */
export function Present(props: PresentProps): VNode {
  return (
    <div class="present" id="present">
      <Calendar state={props.state} holdLifetimeSeconds={props.holdLifetimeSeconds} />
      <Changes state={props.state} changes={props.changes} />
    </div>
  );
}

function NextOpen({ state }: { state: CalendarState }): VNode {
  const { next_open } = studioFigures(state);
  return (
    <p class="next-open" data-key="next-open">
      {next_open === null ? (
        'Nothing is open at the moment.'
      ) : (
        <>
          <span class="label">Next open</span>{' '}
          <a href={linkToBook(slotOf(next_open))}>
            <SessionTime {...bookedSlot(state, slotOf(next_open))} known={state.today} />
          </a>
        </>
      )}
    </p>
  );
}

function Calendar(props: Pick<PresentProps, 'state' | 'holdLifetimeSeconds'>): VNode {
  const { state, holdLifetimeSeconds } = props;
  const { timezone } = state.calendar;
  const days = comingDays(state);
  return (
    <section class="calendar" aria-labelledby="calendar-title">
      <header>
        <h2 id="calendar-title">The next 31 days</h2>
        <p id="connection" class="label" role="status" />
        <noscript>
          <p class="label">As of when you opened the page: load it again to update it.</p>
        </noscript>
        <NextOpen state={state} />
        <ul class="legend" aria-label="Symbols">
          {(['open', 'held', 'taken', 'closed'] as const).map((each) => (
            <li key={each} class={`slot ${each}`}>
              <StateIcon state={each} /> {each}
            </li>
          ))}
        </ul>
      </header>
      <ol
        class="days"
        id="days"
        data-timezone={timezone}
        data-hold-lifetime-seconds={holdLifetimeSeconds}
      >
        {days.map((day) => (
          <Day key={day.date} day={day} timezone={timezone} />
        ))}
      </ol>
    </section>
  );
}

function Day({ day, timezone }: { day: DayView; timezone: string }): VNode {
  const { weekday, month, day: number } = dateWords(day.date);
  const badge = day.isToday ? 'today' : number === '1' ? month.slice(0, 3) : null;
  return (
    <li class={['day', day.isToday && 'today', day.isClosed && 'shut'].filter(Boolean).join(' ')}>
      <h3>
        <time dateTime={day.date}>
          <span class="weekday">{weekday.slice(0, 3)}</span>{' '}
          <span class="visually-hidden">{month}</span> <span class="number">{number}</span>
        </time>
        {badge !== null && <span class="badge">{badge}</span>}
      </h3>
      <ul class="slots">
        {day.slots.map((slot) => (
          <Slot key={slot.key} date={day.date} slot={slot} timezone={timezone} />
        ))}
      </ul>
    </li>
  );
}

function Slot(props: { date: string; slot: SlotView; timezone: string }): VNode {
  const { date, slot, timezone } = props;
  const { key, timeSlot, state, word, lapsesAt } = slot;
  if (state === 'open') {
    return (
      <li class="slot open" data-key={key}>
        <a href={linkToBook({ date, timeSlot })}>
          <StateIcon state={state} /> <span class="hour">{shortTime(timeSlot)}</span>
          <span class="visually-hidden"> on {formatDay(date)},</span>{' '}
          <span class="word">{word}</span>
        </a>
      </li>
    );
  }
  return (
    <li
      class={`slot ${state}`}
      data-key={key}
      {...(lapsesAt !== null && { 'data-lapses-at': lapsesAt })}
    >
      <StateIcon state={state} /> <span class="hour">{shortTime(timeSlot)}</span>{' '}
      <span class="word">
        {word}
        {lapsesAt !== null && <span class="until"> until {timeOfDay(timezone, lapsesAt)}</span>}
      </span>
    </li>
  );
}

const initialMoonPhase = 0.5;

/** The icon of a slot's state. Only the one of a held slot changes over time, so it is an SVG. */
function StateIcon({ state }: Pick<SlotView, 'state'>): VNode {
  return state === 'held' ? (
    <Moon lit={initialMoonPhase} />
  ) : (
    <i class="phase" aria-hidden="true" />
  );
}

function Changes({ state, changes }: Pick<PresentProps, 'state' | 'changes'>): VNode {
  return (
    <section class="changes" aria-labelledby="changes-title">
      <h2 id="changes-title">Latest changes</h2>
      <ol id="changes">
        {changes.map((change) => (
          <Change key={`${slotKey(change.slot)} ${change.at}`} change={change} state={state} />
        ))}
        {changes.length === 0 && <li class="muted">Nothing has changed yet.</li>}
      </ol>
    </section>
  );
}

const changeLabels: Record<SlotChange['kind'], string> = {
  held: 'is held',
  taken: 'is taken',
  freed: 'is free again',
};

function Change({ change, state }: { change: SlotChange; state: CalendarState }): VNode {
  const { slot, kind, at } = change;
  const { timezone } = state.calendar;
  return (
    <li class={`slot ${kind === 'freed' ? 'open' : kind}`}>
      <StateIcon state={kind === 'freed' ? 'open' : kind} />{' '}
      <span class="what">
        {formatDay(slot.date)}, {shortTime(slot.timeSlot)} {changeLabels[kind]}
      </span>{' '}
      <time dateTime={new Date(at).toISOString()}>{timeOfDay(timezone, at)}</time>
    </li>
  );
}

function formatDay(date: string): string {
  const { weekday, month, day } = dateWords(date);
  return `${weekday}, ${month}\u00a0${day}`;
}

function shortTime(timeSlot: TimeSlot): string {
  return timeSlot.replace(':00 ', '\u00a0');
}
