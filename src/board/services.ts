import type { DatabaseServices } from '../database/services.js';
import type { Board } from './board.js';
import type { BookingWaits } from './booking-waits.js';

/** The services of the calendar. */
export interface CalendarServices extends DatabaseServices {
  board: Board;
  bookingWaits: BookingWaits;
}
