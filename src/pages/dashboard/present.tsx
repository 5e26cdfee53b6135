import type { VNode } from 'preact';
import type { CalendarState } from '../../board/board.js';
import { studioFigures } from '../../board/pulse.js';
import { bookedSlot } from '../../domain/booking/booked-slot.js';
import type { SlotChange } from '../../domain/booking/recent-changes.js';
import { useLanguage } from '../../locales/context.js';
import type { Language } from '../../locales/language.js';
import { slotKey, slotOf } from '../../schedule/slots.js';
import { timesIn } from '../../schedule/times.js';
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
  const { t, rich } = useLanguage();
  return (
    <p class="next-open" data-key="next-open">
      {next_open === null
        ? t('front.next_open.none')
        : rich('front.next_open', {
            label: (words) => <span class="label">{words}</span>,
            session: (
              <a href={linkToBook(slotOf(next_open))}>
                <SessionTime {...bookedSlot(state, slotOf(next_open))} known={state.today} />
              </a>
            ),
          })}
    </p>
  );
}

function Calendar(props: Pick<PresentProps, 'state' | 'holdLifetimeSeconds'>): VNode {
  const { state, holdLifetimeSeconds } = props;
  const { timezone } = state.calendar;
  const days = comingDays(state);
  const { t } = useLanguage();
  return (
    <section class="calendar" aria-labelledby="calendar-title">
      <header>
        <h2 id="calendar-title">{t('front.calendar.heading')}</h2>
        <p
          id="connection"
          class="label"
          role="status"
          data-live={t('front.calendar.live')}
          data-not-live-yet={t('front.calendar.not_live_yet')}
          data-not-live-since={t('front.calendar.not_live_since', { time: '{time}' })}
        />
        <noscript>
          <p class="label">{t('front.calendar.unscripted')}</p>
        </noscript>
        <NextOpen state={state} />
        <ul class="legend" aria-label={t('front.legend')}>
          {(['open', 'held', 'taken', 'closed'] as const).map((each) => (
            <li key={each} class={`slot ${each}`}>
              <StateIcon state={each} /> {t(`front.slot.${each}`)}
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
  const language = useLanguage();
  const { month, day: number } = timesIn(language).dateWords(day.date);
  const short = (part: 'weekday' | 'month') =>
    language.dates({ timeZone: 'UTC', [part]: 'short' }).format(Date.parse(day.date));
  const badge = day.isToday ? language.t('front.today') : number === '1' ? short('month') : null;
  return (
    <li class={['day', day.isToday && 'today', day.isClosed && 'shut'].filter(Boolean).join(' ')}>
      <h3>
        <time dateTime={day.date}>
          <span class="weekday">{short('weekday')}</span>{' '}
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
  const language = useLanguage();
  const { slotHour, timeOfDay } = timesIn(language);
  const { t, rich } = language;
  const hour = <span class="hour">{slotHour(timeSlot)}</span>;
  if (state === 'open') {
    return (
      <li class="slot open" data-key={key}>
        <a href={linkToBook({ date, timeSlot })}>
          <StateIcon state={state} />{' '}
          {rich('front.slot.link', {
            hour,
            day: dayOf(language, date),
            open: <span class="word">{t('front.slot.open')}</span>,
            hidden: (words) => <span class="visually-hidden">{words}</span>,
          })}
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
      <StateIcon state={state} /> {hour}{' '}
      <span class="word">
        {lapsesAt === null
          ? t(`front.slot.${word}`)
          : rich('front.slot.held_until', {
              time: timeOfDay(timezone, lapsesAt),
              until: (words) => <span class="until">{words}</span>,
            })}
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
  const { t } = useLanguage();
  return (
    <section class="changes" aria-labelledby="changes-title">
      <h2 id="changes-title">{t('front.changes.heading')}</h2>
      <ol id="changes">
        {changes.map((change) => (
          <Change key={`${slotKey(change.slot)} ${change.at}`} change={change} state={state} />
        ))}
        {changes.length === 0 && <li class="muted">{t('front.changes.none')}</li>}
      </ol>
    </section>
  );
}

function Change({ change, state }: { change: SlotChange; state: CalendarState }): VNode {
  const { slot, kind, at } = change;
  const { timezone } = state.calendar;
  const language = useLanguage();
  const { slotHour, timeOfDay } = timesIn(language);
  return (
    <li class={`slot ${kind === 'freed' ? 'open' : kind}`}>
      <StateIcon state={kind === 'freed' ? 'open' : kind} />{' '}
      <span class="what">
        {language.t(`front.changes.${kind}`, {
          day: dayOf(language, slot.date),
          hour: slotHour(slot.timeSlot),
        })}
      </span>{' '}
      <time dateTime={new Date(at).toISOString()}>{timeOfDay(timezone, at)}</time>
    </li>
  );
}

function dayOf(language: Language, date: string): string {
  return language.t('front.day', timesIn(language).dateWords(date));
}
