/**
 * Loaded before a process of the service (`--import`): its clock differs from the machine's by
 * CLOCK_SHIFT_MS.
 */
import { shiftDate } from '../../support/shift-date.js';

shiftDate(Number(process.env['CLOCK_SHIFT_MS']));
