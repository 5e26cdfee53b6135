import { createContext, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { ClosingTime } from '../schedule/slots.js';
import { type Session, sessionHours } from '../schedule/words.js';
import { longDate, shortDate } from './moment.js';

/** The studio's, by which a session ends whose booking stores no end. */
export const OpeningHours = createContext<readonly ClosingTime[]>([]);

/** From when to when a session is: `1:00 – 5:00 PM`. */
export function Hours({ of }: { of: Session }): VNode {
  const openingHours = useContext(OpeningHours);
  return <span class="session-hours">{sessionHours(of, openingHours)}</span>;
}

/** The same, with its day: `Tuesday, December 1, 2026, 1:00 – 5:00 PM`. */
export function DayAndHours({ of }: { of: Session }): VNode {
  return (
    <>
      {longDate(of.date)}, <Hours of={of} />
    </>
  );
}

/** The same in short: `Tue, Dec 1, 2026, 1:00 – 5:00 PM`. `known`: as of `shortDate`. */
export function ShortDayAndHours({ of, known }: { of: Session; known?: string }): VNode {
  return (
    <>
      {shortDate(of.date, known)}, <Hours of={of} />
    </>
  );
}
