import type { DatabaseServices } from '../database/services.js';
import type { Languages } from '../locales/languages.js';
import type { Board } from './board.js';
import type { BookingWaits } from './booking-waits.js';

export interface CalendarServices extends DatabaseServices {
  board: Board;
  bookingWaits: BookingWaits;
  languages: Languages;
}
