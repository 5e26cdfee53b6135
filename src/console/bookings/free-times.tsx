import type { FastifyRequest } from 'fastify';
import type { ComponentChildren, VNode } from 'preact';
import type { StudioDays, StudioSlot } from '../../domain/studio/days.js';
import { timeSlots } from '../../schedule/slots.js';
import { linkToMove, slugOf } from '../links.js';
import { longDay, shortDate } from '../moment.js';
import { isolated, Unseen } from '../parts.js';
import { scheduleWords } from './words.js';

export function isFree({ booking, isOver }: StudioSlot): boolean {
  return booking === null && !isOver;
}

/** Why people could not take a slot; empty if they could. */
function unusualWord({ hasBegun, schedule }: StudioSlot): string {
  return hasBegun ? 'running' : scheduleWords[schedule];
}

function isUsual(slot: StudioSlot): boolean {
  return unusualWord(slot) === '';
}

/** Whether a slot is shown: to an artist, times of others only where people could book them. */
export function isShownTo({ consoleArtist: own }: FastifyRequest, slot: StudioSlot): boolean {
  return own === null || own.id === slot.artist.id || isUsual(slot);
}

/** The slots of one time, each of another artist. */
type FreeTime = readonly [StudioSlot, ...StudioSlot[]];

interface FreeDay {
  date: string;
  times: readonly FreeTime[];
}

/** The times that people could take, too, or those that only the studio can use. */
export function freeDays({ days }: StudioDays, wanted: { isUsual: boolean }): FreeDay[] {
  return days
    .map(({ date, slots }) => ({
      date,
      times: freeTimes(slots).filter(([slot]) => isUsual(slot) === wanted.isUsual),
    }))
    .filter(({ times }) => times.length > 0);
}

/** The times with an open slot. If people can take some of a time's slots, its others are left out. */
function freeTimes(slots: readonly StudioSlot[]): FreeTime[] {
  const free = slots.filter(isFree);
  return timeSlots.flatMap((timeSlot) => {
    const at = free.filter((slot) => slot.timeSlot === timeSlot);
    const usual = at.filter(isUsual);
    const [first, ...others] = usual.length > 0 ? usual : at;
    return first === undefined ? [] : [[first, ...others] as const];
  });
}

interface FreeDaysProps {
  days: readonly FreeDay[];
  id: string;
  /** Whether the times are of several artists, of whom none is chosen. */
  isAnybody: boolean;
}

export function FreeDays({ days, id, isAnybody }: FreeDaysProps): VNode {
  return (
    <ul class="free-slots">
      {days.map(({ date, times }) => (
        <li key={date} class="free-day">
          <p aria-hidden="true">{shortDate(date, date)}</p>
          <div class="acts">
            {times.map((time) => (
              <TimeLink
                key={time[0].timeSlot}
                slot={time[0]}
                href={linkToMove(id, time[0], isAnybody ? '' : slugOf(time[0]))}
              >
                <Unseen>{longDay(date)} at </Unseen>
                {time[0].timeSlot}
                {isAnybody && <span class="muted"> {namesOf(time)}</span>}
              </TimeLink>
            ))}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Who of several is free then: `Mara`, `Mara, Jon`, `4 artists`. */
function namesOf(time: FreeTime): ComponentChildren {
  if (time.length > 2) return `${time.length} artists`;
  return time.map(({ artist }, index) => [index > 0 && ', ', isolated(artist.name)]);
}

/** The other artists who are free at the time that the booking has. */
export function SameTime({ id, slots }: { id: string; slots: readonly StudioSlot[] }): VNode {
  return (
    <>
      <h2>At the same time</h2>
      {slots.length === 0 && <p class="muted">Nobody else is free.</p>}
      <div class="acts free-slots">
        {slots.toSorted(byUsualness).map((slot) => (
          <TimeLink key={slot.artist.id} slot={slot} href={linkToMove(id, slot, slugOf(slot))}>
            With <bdi>{slot.artist.name}</bdi>
          </TimeLink>
        ))}
      </div>
    </>
  );
}

/** Orders slots: those that are free for people come first. */
function byUsualness(one: StudioSlot, other: StudioSlot): number {
  return Number(isUsual(other)) - Number(isUsual(one));
}

interface TimeLinkProps {
  slot: StudioSlot;
  href: string;
  children: ComponentChildren;
}

/** A link to the question, with why people could not take the slot. */
function TimeLink({ slot, href, children }: TimeLinkProps): VNode {
  const why = unusualWord(slot);
  return (
    <a class={why === '' ? 'button quiet small' : 'button quiet small unusual'} href={href}>
      {children}
      {why !== '' && <span class="muted"> {why}</span>}
    </a>
  );
}
