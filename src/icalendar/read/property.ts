/** A property as `ical.js` parses it (jCal, RFC 7265): its name and type are in lower case. */
export type Property = readonly [
  name: string,
  parameters: Readonly<Record<string, string | readonly string[]>>,
  type: string,
  ...values: unknown[],
];

/** The value of the first property of that name; null without one. */
export function textOf(properties: readonly Property[], name: string): string | null {
  const value = properties.find((property) => property[0] === name)?.[3];
  return typeof value === 'string' ? value : null;
}

/** A date or rule that is none, or has no known meaning. Its message says nothing of the calendar. */
export class UnreadableCalendarError extends Error {
  constructor() {
    super('the calendar cannot be read');
    this.name = 'UnreadableCalendarError';
  }
}
