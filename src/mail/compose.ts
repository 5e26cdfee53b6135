import type { NamedAddress } from '../config/validators.js';
import { english, type Language } from '../locales/language.js';
import type { Languages } from '../locales/languages.js';
import type { DueBookingMail, DueCalendarMail, DueMail } from '../repositories/due-mail.js';
import { studioOn } from '../schedule/addresses.js';
import { confirmationCode } from '../secrets/confirmation-code.js';
import { findCheckoutLink, reminderToken } from '../secrets/links.js';
import { calendarProblem } from './drop-reason.js';
import type { BookingMailFacts, CalendarMailFacts } from './mail-facts.js';
import { renderMail } from './render.js';
import { displayName } from './sanitize-facts.js';
import type { OutgoingMail } from './sender.js';
import type { MailServices } from './services.js';

/** The studio at the time of sending. */
export type StudioFacts = Pick<BookingMailFacts, 'studio' | 'openingHours'>;

type ComposeServices = Pick<MailServices, 'config' | 'keyring' | 'clock'>;

/** The language of a mail: English, but to the person. */
export function languageOfMail(
  languages: Languages,
  { recipient, language }: DueMail,
  { studio }: StudioFacts,
): Language {
  if (recipient !== 'person') return english;
  return languages.find(language) ?? languages.find(studio.language) ?? english;
}

/** Renders a mail and adds its sender, recipient and other headers. */
export async function composeMail(
  services: ComposeServices,
  mail: DueMail,
  facts: StudioFacts,
  language: Language,
): Promise<OutgoingMail> {
  const { config, clock } = services;
  if (config.mail === null) throw new Error('mail is off');
  const { from } = config.mail;
  const { kind, occurredAt, resends } = mail;
  const rendered = await renderMail(
    mail.kind === 'calendar_failure'
      ? calendarFacts(services, mail, facts, from)
      : bookingFacts(services, mail, facts, from),
    language,
  );
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return {
    ...rendered,
    from,
    ...correspondents(mail, facts),
    // All attempts have one id, so that a mail that arrives twice can be recognized.
    messageId: `<${mail.mailId}${resends === 0 ? '' : `.${resends}`}@${domain}>`,
    // The instant of the change; for reminders and repeated mails, the present one.
    date: kind === 'reminder' || resends > 0 ? new Date(clock.now()) : occurredAt,
  };
}

/**
 * The sender and the reply address: the person's replies go to the studio, those of the studio and of an
 * artist to the person; a mail about the studio's calendar has none.
 */
function correspondents(
  mail: DueMail,
  { studio }: StudioFacts,
): { to: NamedAddress; replyTo: NamedAddress | null } {
  const studioAddress = { name: studio.name, address: studio.email };
  const isAboutStudio = mail.kind === 'calendar_failure' || mail.undecided !== null;
  if (isAboutStudio) return { to: studioAddress, replyTo: null };
  const personAddress =
    mail.email === null ? null : { name: displayName(mail), address: mail.email };
  if (mail.recipient === 'studio') return { to: studioAddress, replyTo: personAddress };
  if (mail.recipient !== 'person') {
    if (mail.artistEmail === null) throw new Error('a mail for an artist without an address');
    const artistAddress = { name: mail.artistName ?? '', address: mail.artistEmail };
    return { to: artistAddress, replyTo: personAddress };
  }
  if (personAddress === null) throw new Error('a mail for a person without an address');
  return { to: personAddress, replyTo: studioAddress };
}

function bookingFacts(
  { config: { publicBaseUrl }, keyring }: ComposeServices,
  mail: DueBookingMail,
  facts: StudioFacts,
  from: NamedAddress,
): BookingMailFacts {
  const { kind, recipient, undecided, sequence, occurredAt, eventType: type, data } = mail;
  return {
    ...facts,
    // The studio with the address of that date, as it is known now.
    studio: studioOn({ studio: facts.studio, addresses: mail.addresses }, data.date),
    ...{ kind, undecided },
    recipient: recipient === 'person' ? 'person' : 'studio',
    event: { type, occurredAt, sequence, data },
    booking: mail,
    from,
    checkoutUrl: findCheckoutLink(keyring, publicBaseUrl, mail),
    bookUrl: `${publicBaseUrl}/book${mail.chosenArtist === null ? '' : `?artist=${mail.chosenArtist}`}`,
    stopRemindersUrl: `${publicBaseUrl}/reminders/${reminderToken(keyring, mail)}`,
    consoleUrl: `${publicBaseUrl}/console/bookings/${mail.id}`,
    undecidedUrl: `${publicBaseUrl}/console/closures/undecided`,
    code:
      mail.lapsesAt === null
        ? null
        : { digits: confirmationCode(keyring, mail.mailId), lapsesAt: mail.lapsesAt },
  };
}

function calendarFacts(
  { config: { publicBaseUrl } }: ComposeServices,
  mail: DueCalendarMail,
  { studio }: StudioFacts,
  from: NamedAddress,
): CalendarMailFacts {
  const { kind, occurredAt, label, readAt } = mail;
  const problem = calendarProblem(mail);
  if (problem === null) throw new Error('the calendar can be read');
  return {
    kind,
    event: { occurredAt },
    calendar: { label, readAt, problem },
    studio,
    from,
    consoleUrl: `${publicBaseUrl}/console/calendars`,
  };
}
