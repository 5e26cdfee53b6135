import type { DatabaseServices } from '../database/services.js';
import type { Board } from './board.js';
import type { BookingWaits } from './booking-waits.js';

/** The calendar in memory, and what is below it. */
export interface CalendarServices extends DatabaseServices {
  board: Board;
  /** Requests of this process that wait for a booking to change. */
  bookingWaits: BookingWaits;
}
