import type { StudioRow } from '../../src/database/rows/studio.js';
import { exampleStudio } from '../../src/database/seed.js';
import { exampleMails, type ExampleSettings } from '../../src/mail/examples.js';
import type { BookingMailFacts, CalendarMailFacts, MailFacts } from '../../src/mail/mail-facts.js';
import { readCalendar } from './ical.js';

export const mailStudio: StudioRow = {
  id: 1,
  address_from: null,
  language: 'en',
  ...exampleStudio,
};

export const mailSettings: ExampleSettings = {
  studio: mailStudio,
  openingHours: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
    weekday,
    opens: '09:00',
    closes: '20:00',
  })),
  from: { name: 'Night Heron', address: 'booking@nightheron.example' },
  publicBaseUrl: 'https://book.nightheron.example',
};

/** The names of the example mails: one for each kind, recipient and cause. */
export const mailNames = [...exampleMails(mailSettings).keys()];

export interface MailChanges {
  facts?: Partial<Omit<BookingMailFacts, 'kind' | 'event'>>;
  booking?: Partial<BookingMailFacts['booking']>;
  studio?: Partial<StudioRow>;
  type?: BookingMailFacts['event']['type'];
  data?: Partial<BookingMailFacts['event']['data']>;
  calendar?: Partial<CalendarMailFacts['calendar']>;
}

/** An example mail with some facts changed; those that it does not have are left out. */
export function mailFacts(name: string, changes: MailChanges = {}): MailFacts {
  const studio = { ...mailStudio, ...changes.studio };
  const facts = exampleMails({ ...mailSettings, studio }).get(name);
  if (facts === undefined) throw new Error(`there is no example mail ${name}`);
  if (facts.kind === 'calendar_failure') {
    const { from = facts.from } = changes.facts ?? {};
    return { ...facts, from, calendar: { ...facts.calendar, ...changes.calendar } };
  }
  const data = { ...facts.event.data, ...changes.data };
  return {
    ...facts,
    booking: { ...facts.booking, ...changes.booking },
    event: { ...facts.event, type: changes.type ?? facts.event.type, data },
    ...changes.facts,
  };
}

/** As `mailFacts`, of a mail about a booking. */
export function bookingFacts(name: string, changes: MailChanges = {}): BookingMailFacts {
  const facts = mailFacts(name, changes);
  if (facts.kind === 'calendar_failure') throw new Error(`${name} is about no booking`);
  return facts;
}

/** A calendar part, as a reader sees it. */
export function readCalendarPart(content: string) {
  const { root, events } = readCalendar(content);
  const { component, event } = events[0]!;
  const names = component.getAllProperties().map((property) => property.name);
  return { root, component, names, event };
}

/** What a reader sees of a mail's HTML, as words. */
export function visibleWords(html: string): string[] {
  const body = html
    .replace(/^.*<body[^>]*>/s, '')
    .replace(/<div class="preview".*?<\/div>/s, '')
    .replace(/<\/(td|p|h\d|blockquote)>|<br[^>]*>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
  return words(body);
}

/** The words of a plain text, without the addresses of its links and the marks of quotes. */
export function plainWords(text: string): string[] {
  return words(text.replace(/<(?:https?):[^>]*>/g, '').replace(/^> /gm, ''));
}

/** Without what layout adds in either: colons after terms. */
function words(text: string): string[] {
  return text
    .split(/[\s\u00a0\u200c]+/)
    .map((word) => word.replace(/:$/, ''))
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
}
