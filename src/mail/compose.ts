import type { OpeningHoursRow, StudioRow } from '../repositories/studio.js';
import type { DueMail } from '../repositories/mail-queue.js';
import { checkoutLink, openCheckoutToken } from '../platform/checkout-link.js';
import { confirmationCode } from '../platform/confirmation-code.js';
import type { Keyring } from '../platform/keyring.js';
import { reminderToken } from '../platform/reminder-token.js';
import { renderMail } from './render.js';
import type { OutgoingMail } from './sender.js';
import type { MailServices } from './services.js';

/** The studio at the time of sending. */
export interface StudioFacts {
  studio: StudioRow;
  openingHours: readonly OpeningHoursRow[];
}

/** Renders a mail and adds its sender, recipient and other headers. */
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
    checkoutUrl: findCheckoutUrl(keyring, config.publicBaseUrl, mail),
    bookUrl: `${config.publicBaseUrl}/book`,
    stopRemindersUrl: `${config.publicBaseUrl}/reminders/${reminderToken(keyring, mail.id)}`,
    code:
      mail.lapsesAt === null
        ? null
        : { digits: confirmationCode(keyring, mail.mailId), lapsesAt: mail.lapsesAt },
  });
  const studioAddress = { name: studio.name, address: studio.email };
  const personAddress = mail.email === null ? null : { name: mail.name ?? '', address: mail.email };
  const isForPerson = recipient === 'person';
  const to = isForPerson ? personAddress : studioAddress;
  if (to === null) throw new Error('a mail for a person without an address');
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return {
    ...rendered,
    from,
    to,
    replyTo: isForPerson ? studioAddress : personAddress,
    // The same in every attempt, so that a mail that arrives twice can be recognized.
    messageId: `<${mail.mailId}${resends === 0 ? '' : `.${resends}`}@${domain}>`,
    // The instant of the change, but for reminders and mails that the studio sends again.
    date: kind === 'reminder' || resends > 0 ? new Date(clock.now()) : occurredAt,
  };
}

/** Null if the token was encrypted with a secret key that is lost. */
function findCheckoutUrl(
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
