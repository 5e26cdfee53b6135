import type { OpeningHoursRow, StudioRow } from '../repositories/studio.js';
import type { DueMail } from '../repositories/mail-queue.js';
import { checkoutLink, openCheckoutToken } from '../platform/checkout-link.js';
import type { Keyring } from '../platform/keyring.js';
import { reminderToken } from '../platform/reminder-token.js';
import { renderMail } from './render.js';
import type { OutgoingMail } from './sender.js';
import type { MailServices } from './services.js';

/** The studio as it is when mails are sent. */
export interface StudioFacts {
  studio: StudioRow;
  openingHours: readonly OpeningHoursRow[];
}

/** Renders and addresses a mail. */
export async function composeMail(
  { config, keyring, clock }: Pick<MailServices, 'config' | 'keyring' | 'clock'>,
  mail: DueMail,
  { studio, openingHours }: StudioFacts,
): Promise<OutgoingMail> {
  if (config.mail === null) throw new Error('mail is off');
  const { from } = config.mail;
  const { kind, recipient, sequence, occurredAt, data, resends } = mail;
  const rendered = await renderMail({
    kind,
    recipient,
    event: { occurredAt, sequence, data },
    booking: mail,
    studio,
    openingHours,
    from,
    checkoutUrl: checkoutUrlOf(keyring, config.publicBaseUrl, mail),
    stopRemindersUrl: `${config.publicBaseUrl}/reminders/${reminderToken(keyring, mail.id)}`,
  });
  const atStudio = { name: studio.name, address: studio.email };
  const atPerson = mail.email === null ? null : { name: mail.name ?? '', address: mail.email };
  const isForPerson = recipient === 'person';
  const to = isForPerson ? atPerson : atStudio;
  if (to === null) throw new Error('a mail for a person without an address');
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return {
    ...rendered,
    from,
    to,
    replyTo: isForPerson ? atStudio : atPerson,
    // The same over retries, so that a mail that arrives twice can be recognized.
    messageId: `<${mail.mailId}${resends === 0 ? '' : `.${resends}`}@${domain}>`,
    // A reminder, and what the studio sends again, is made when it is sent.
    date: kind === 'reminder' || resends > 0 ? new Date(clock.now()) : occurredAt,
  };
}

/** Null if the token was encrypted with a secret key that is lost. */
function checkoutUrlOf(
  keyring: Keyring,
  publicBaseUrl: string,
  { checkout_token_sealed: sealed }: DueMail,
): string | null {
  try {
    return checkoutLink(publicBaseUrl, openCheckoutToken(keyring, sealed));
  } catch {
    return null;
  }
}
