import type { CalendarError } from './calendar-reader.js';

/** Sentences for what is wrong with a watched calendar. None contains its address. */

const askForAddress = 'Look up its secret address in iCal format, and add the calendar again.';
const fewerEvents = 'Delete or end events that are no longer needed, or watch a smaller calendar.';

const words: Readonly<Record<Exclude<CalendarError, 'status' | 'redirect'>, string>> = {
  target_refused: `The host of its address is not on the public internet. ${askForAddress}`,
  dns_failed: 'The host of its address cannot be found. If that lasts, check the address.',
  connect_timeout: 'Its server does not respond.',
  connection_refused: 'Its server refuses the connection.',
  connection_lost: 'Its server ended the connection before its response was complete.',
  tls_failed: 'The connection to its server is not secure: its certificate is not valid.',
  timeout: 'Its server takes too long to respond.',
  bad_answer: 'The response of its server is not valid HTTP.',
  network: 'Its server cannot be reached.',
  too_large: `It is larger than 5 MB. ${fewerEvents}`,
  not_a_calendar: `Its address leads to something other than a calendar, such as a page to sign in at. ${askForAddress}`,
  unreadable: 'It contains a line, date or rule that cannot be read. Repair or delete that event.',
  too_many_events: `It has too many events. ${fewerEvents}`,
  too_slow: `Reading it takes too long. ${fewerEvents}`,
  too_much_memory: `Reading it takes too much memory. ${fewerEvents}`,
  secret_lost:
    'The secret key that its address was encrypted with is lost. Remove the calendar, and add it again.',
};

/** What is wrong with a calendar, and what the studio can do about it. */
export function calendarErrorWords(error: CalendarError, statusCode: number | null): string {
  if (error === 'status') return statusWords(statusCode);
  if (error === 'redirect') {
    return `Its address redirects to another one${inBrackets(statusCode)}. Add the calendar with that one.`;
  }
  return words[error];
}

function statusWords(status: number | null): string {
  const number = inBrackets(status);
  if (status === 401 || status === 403) {
    return `Its server asks for a sign-in${number}. ${askForAddress}`;
  }
  if (status === 404 || status === 410) {
    return `There is no calendar at its address any more${number}. ${askForAddress}`;
  }
  if (status === 429)
    return `Its server limits how often the calendar is read${number}. It is read again in ten minutes.`;
  if (status !== null && status >= 500) return `Its server fails${number}.`;
  return `Its server responds with an unexpected status${number}.`;
}

function inBrackets(status: number | null): string {
  return status === null ? '' : ` (${status})`;
}
