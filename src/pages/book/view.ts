import { type Static, Type } from '@sinclair/typebox';
import type { CalendarState } from '../../board/board.js';
import type { WantedTimes } from '../../board/open-times.js';
import { type Artist, artistOfLink } from '../../schedule/artists.js';
import { WEEKDAYS } from '../../schedule/dates.js';
import { type Slot, timeSlots } from '../../schedule/slots.js';
import { bookPath, linkToBook } from '../../web/book-link.js';
import { choice, choices } from '../../web/forms.js';

/** The fields of an address under `/book` that say how it is shown, not which time is chosen. */
export const viewFields = {
  weekday: choices(...WEEKDAYS),
  time: choices(...timeSlots),
  theme: choice('auto', 'light', 'dark'),
  /** Anything: the page explains what it does not understand. */
  artist: Type.Unknown(),
};

/** How the pages under `/book` are shown. Their links to each other keep it. */
export interface View extends WantedTimes {
  /** The scheme of the website that frames the page; null if none does. */
  theme: 'auto' | 'light' | 'dark' | null;
  /** Whose open times are shown; null: everybody's. */
  artist: Artist | null;
}

const fields = Type.Partial(Type.Object(viewFields));

export function readView(
  { weekday = [], time = [], theme, artist }: Static<typeof fields>,
  state: CalendarState,
): View {
  const asked = artistOfLink(state, artist);
  return {
    weekdays: [weekday].flat(),
    times: [time].flat(),
    theme: theme ?? null,
    artist: asked?.isHidden === false ? asked : null,
  };
}

export const plainView: View = { weekdays: [], times: [], theme: null, artist: null };

export function isFiltered({ weekdays, times, artist }: View): boolean {
  return weekdays.length + times.length > 0 || artist !== null;
}

/** The address of the month that has `date` in it; of the first one without a date. */
export function linkToMonth(view: View, date?: string): string {
  return withFields(bookPath, [
    ...(date === undefined ? [] : [['from', date]]),
    ...view.weekdays.map((weekday) => ['weekday', weekday]),
    ...view.times.map((time) => ['time', time]),
    ...(view.artist === null ? [] : [['artist', view.artist.slug]]),
    ...themeOf(view),
  ]);
}

/** The address of the form of a slot. */
export function linkToForm(view: View, slot: Slot): string {
  return withFields(linkToBook(slot, view.artist), themeOf(view));
}

function themeOf({ theme }: View): string[][] {
  return theme === null ? [] : [['theme', theme]];
}

function withFields(path: string, fields: string[][]): string {
  if (fields.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(fields).toString()}`;
}
