const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const time = String.raw`\d{2}:\d{2}:\d{2}`;

/** The three forms of HTTP-date that RFC 9110, section 5.6.7, obliges a recipient to read. */
const httpDates = [
  new RegExp(String.raw`^[A-Z][a-z]{2}, \d{2} ${month} \d{4} ${time} GMT$`),
  new RegExp(String.raw`^[A-Z][a-z]{5,8}, \d{2}-${month}-\d{2} ${time} GMT$`),
  new RegExp(String.raw`^[A-Z][a-z]{2} ${month} [ \d]\d ${time} \d{4}$`),
];

/**
 * Reads a `Retry-After` (RFC 9110, section 10.2.3), seconds or a date, as whole seconds from `now`
 * (milliseconds since the epoch); null where it is neither. A date in the past is 0.
 */
export function parseRetryAfterSeconds(value: string, now: number): number | null {
  const text = value.trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  if (!httpDates.some((form) => form.test(text))) return null;
  const date = Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000));
}
