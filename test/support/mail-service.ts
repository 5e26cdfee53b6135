import type { Test } from 'tap';
import type { HoldRequest } from '../../generated/schemas.js';
import type { Background } from '../../src/background.js';
import type { Slot } from '../../src/calendar/slots.js';
import type { MailRow } from '../../src/database/mail-tables.js';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { placeHold } from '../../src/domain/holds.js';
import { provenBrowser } from './proven-browser.js';
import { callerNumber, holdRequest } from './requests.js';
import { generous, startService, type TestService } from './service.js';
import { startSmtp, type Smtp } from './smtp.js';

export const mailFrom = 'Night Heron <booking@nightheron.example>';

export interface MailService extends TestService {
  smtp: Smtp;
  background: Background;
  /** Holds the slot for a person and confirms it. */
  book(slot: Slot, changes?: Partial<HoldRequest>): Promise<{ id: string; token: string }>;
  /** Resolves when every event is dispatched and no mail is due. */
  settle(): Promise<void>;
  /** What a browser keeps whose person has typed a right code for the booking. */
  browser(bookingId: string): Promise<string>;
  /** All mails, in their order. */
  mails(): Promise<MailRow[]>;
}

/** A service with mail on, whose workers run in this process, and the server that receives its mail. */
export async function startMailService(
  t: Test,
  environment: Record<string, string> = {},
): Promise<MailService> {
  const smtp = await startSmtp(t, { tls: 'none' });
  const service = await startService(t, {
    ...generous,
    SMTP_URL: smtp.url,
    MAIL_FROM: mailFrom,
    ...environment,
  });
  const { context } = service;
  const background = await service.startBackground();
  return {
    ...service,
    smtp,
    background,
    async book(slot, changes) {
      const request = holdRequest(slot, changes);
      const { booking, checkoutToken } = await placeHold(context, callerNumber(1), request, null);
      await confirmCheckout(context, checkoutToken);
      return { id: booking.id, token: checkoutToken };
    },
    async settle() {
      await background.mailDispatcher.dispatchAll();
      await background.mailer?.sendDue();
    },
    browser: (bookingId) => provenBrowser(context, bookingId),
    mails: () => context.database.selectFrom('mails').selectAll().orderBy('position').execute(),
  };
}
