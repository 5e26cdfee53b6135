/**
 * Loaded before every process of a test run (NODE_OPTIONS, which children inherit):
 *
 * - its `Date` shows TEST_CLOCK_SHIFT_MS more than the true time, and so does booking_now() in every
 *   database in which it defines that function, be it by our migrations or for a test;
 * - it waits a minute for a database and its locks, since the machine may be busy. Where the wait
 *   itself is tested, TEST_TRUE_TIMEOUTS=1 leaves it as it is.
 */
import { createRequire } from 'node:module';
import { shiftDate } from './shift-date.js';

const shiftMs = Number(process.env['TEST_CLOCK_SHIFT_MS']);
if (!Number.isInteger(shiftMs)) throw new Error('TEST_CLOCK_SHIFT_MS is not a whole number.');
shiftDate(shiftMs);

const patienceMs = 60_000;
const shiftedNow = `(clock_timestamp() + interval '${shiftMs} milliseconds')`;
const { Client, Pool } = createRequire(import.meta.url)('pg') as typeof import('pg');

type Method = (this: Record<string, unknown>, ...args: unknown[]) => unknown;

/** Has `before` change what a method is called on or with. */
function intercept(
  prototype: object,
  name: string,
  before: (self: never, args: unknown[]) => void,
) {
  const methods = prototype as Record<string, Method>;
  const method = methods[name] as Method;
  methods[name] = function (...args) {
    before(this as never, args);
    return method.apply(this, args);
  };
}

intercept(Client.prototype, 'query', (_, args) => {
  if (typeof args[0] === 'string') args[0] = patiently(onRunClock(args[0]));
});
intercept(Client.prototype, 'connect', (client: { _connectionTimeoutMillis: number }) => {
  if (isPatient() && client._connectionTimeoutMillis > 0) {
    client._connectionTimeoutMillis = patienceMs;
  }
});
const poolMethods = Object.getPrototypeOf(Pool.prototype) as object;
intercept(
  poolMethods,
  'connect',
  ({ options }: { options: { connectionTimeoutMillis?: number } }) => {
    if (isPatient() && options.connectionTimeoutMillis)
      options.connectionTimeoutMillis = patienceMs;
  },
);

function isPatient(): boolean {
  return process.env['TEST_TRUE_TIMEOUTS'] !== '1';
}

function onRunClock(statement: string): string {
  const definesClock = /\bcreate (or replace )?function booking_now\b/;
  return definesClock.test(statement)
    ? statement.replaceAll('clock_timestamp()', shiftedNow)
    : statement;
}

function patiently(statement: string): string {
  const timeouts = /\bset (statement|lock|idle_in_transaction_session)_timeout = \d+/g;
  return isPatient() ? statement.replace(timeouts, `set $1_timeout = ${patienceMs}`) : statement;
}
