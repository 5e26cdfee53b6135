/**
 * Loaded before every process of a test run (NODE_OPTIONS, which children inherit): its `Date` shows
 * TEST_CLOCK_SHIFT_MS more than the true time, and so does booking_now() in every database in which
 * it defines that function, be it by our migrations or for a test.
 */
import { createRequire } from 'node:module';
import { shiftDate } from './shift-date.js';

const shiftMs = Number(process.env['TEST_CLOCK_SHIFT_MS']);
if (!Number.isInteger(shiftMs)) throw new Error('TEST_CLOCK_SHIFT_MS is not a whole number.');

shiftDate(shiftMs);

const { Client } = createRequire(import.meta.url)('pg') as typeof import('pg');
const query = Client.prototype.query as (...args: unknown[]) => unknown;
const shiftedNow = `(clock_timestamp() + interval '${shiftMs} milliseconds')`;

Object.assign(Client.prototype, {
  query(this: unknown, statement: unknown, ...rest: unknown[]) {
    return query.call(this, onRunClock(statement), ...rest);
  },
});

function onRunClock(statement: unknown): unknown {
  const definesClock = /\bcreate (or replace )?function booking_now\b/;
  return typeof statement === 'string' && definesClock.test(statement)
    ? statement.replaceAll('clock_timestamp()', shiftedNow)
    : statement;
}
