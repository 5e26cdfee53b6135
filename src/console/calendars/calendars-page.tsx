import type { VNode } from 'preact';
import type { BookingConflict } from '../../domain/conflicts.js';
import { Conflicts } from './conflicts.js';
import { Feeds, NewAddress, type FeedsProps, type ShownAddress } from './feeds.js';
import { Watched, type WatchedProps } from './watched.js';

export interface CalendarsPageProps
  extends Omit<FeedsProps, 'refused'>, Omit<WatchedProps, 'refused'> {
  conflicts: readonly BookingConflict[];
  refusedFeed: FeedsProps['refused'];
  refusedWatch: WatchedProps['refused'];
  /** Null but in the response to a form that made it. */
  newAddress: ShownAddress | null;
}

/** Conflicts, the calendars that close sessions here, and the addresses that show the bookings elsewhere. */
export function CalendarsPage(props: CalendarsPageProps): VNode {
  const { conflicts, calendars, feeds, refusedFeed, refusedWatch, newAddress, format } = props;
  return (
    <>
      {newAddress !== null && <NewAddress {...newAddress} />}
      {conflicts.length > 0 && <Conflicts conflicts={conflicts} />}
      <Watched calendars={calendars} refused={refusedWatch} format={format} />
      <Feeds feeds={feeds} refused={refusedFeed} format={format} />
    </>
  );
}
