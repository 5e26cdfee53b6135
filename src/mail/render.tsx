import type { VNode } from 'preact';
import { renderToStringAsync } from 'preact-render-to-string';
import { calendarFile } from '../icalendar/calendar-file.js';
import { LanguageContext } from '../locales/context.js';
import { english, type Language } from '../locales/language.js';
import type { CalendarMailFacts, MailFacts } from './mail-facts.js';
import { plainText } from './plain-text.js';
import { displayName, sanitizeFacts } from './sanitize-facts.js';
import { sessionTime, type TimedMailFacts } from './session-time.js';
import { subjectOf } from './subject.js';
import { CalendarMail } from './templates/calendar.js';
import { CodeMail } from './templates/code.js';
import { CancelledMail, ComingMail } from './templates/person.js';
import { StudioMail, UndecidedMail } from './templates/studio.js';
import { outlookStylesheet } from './templates/style.js';

export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
  /** Its MIME `method` must be that of `content`: Outlook ignores the calendar otherwise. */
  calendar: { method: 'REQUEST' | 'CANCEL'; content: string } | null;
}

/** Renders a mail. It has the time of the event, whatever has happened to the booking since. */
export async function renderMail(
  facts: MailFacts,
  language: Language = english,
): Promise<RenderedMail> {
  const sanitized = sanitizeFacts(facts);
  const timed =
    sanitized.kind === 'calendar_failure'
      ? sanitized
      : { ...sanitized, time: sessionTime(sanitized) };
  const document = await renderToStringAsync(
    <LanguageContext.Provider value={language}>{templateOf(timed)}</LanguageContext.Provider>,
  );
  return {
    subject: subjectOf(timed),
    html: `<!doctype html>${document.replace('</head>', `${outlookStylesheet}</head>`)}`,
    text: plainText(document),
    calendar: timed.kind === 'calendar_failure' ? null : calendarPart(timed),
  };
}

function templateOf(facts: TimedMailFacts | CalendarMailFacts): VNode {
  if (facts.kind === 'calendar_failure') return <CalendarMail {...facts} />;
  const { code } = facts;
  if (facts.undecided !== null) return UndecidedMail(facts, facts.undecided);
  if (facts.recipient === 'studio') return <StudioMail {...facts} />;
  if (code !== null) return <CodeMail {...facts} code={code} />;
  return facts.kind === 'cancellation' ? <CancelledMail {...facts} /> : <ComingMail {...facts} />;
}

/** The invitation, or its cancellation (RFC 5546, 3.2.2 and 3.2.5); none in other mails. */
function calendarPart(facts: TimedMailFacts): RenderedMail['calendar'] {
  const { kind, recipient, booking, event, studio, openingHours, from } = facts;
  const hasNone = recipient === 'studio' || kind === 'reminder' || kind === 'code';
  if (hasNone || booking.email === null) return null;
  const method = kind === 'cancellation' ? 'CANCEL' : 'REQUEST';
  const { endsAt, timezone } = facts.time;
  const session = {
    id: booking.id,
    sequence: event.sequence,
    isCancelled: method === 'CANCEL',
    artistName: event.data.artist_name ?? null,
    startsAtText: event.data.starts_at_text,
    endsAt,
    timezone,
    changedAt: event.occurredAt,
  };
  const attendee = { name: displayName(booking), address: booking.email };
  const use = { method, organizer: from, attendee } as const;
  return { method, content: calendarFile({ session, studio, openingHours, use }) };
}
