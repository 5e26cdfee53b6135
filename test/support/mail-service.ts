import type { HoldRequest } from '../../generated/schemas.js';
import type { Background } from '../../src/background.js';
import type { Slot } from '../../src/calendar/slots.js';
import type { MailRow } from '../../src/database/mail-tables.js';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { placeHold } from '../../src/domain/holds.js';
import { provenBrowser } from './proven-browser.js';
import { callerNumber, holdRequest } from './requests.js';
import type { TestService } from './service.js';
import type { Smtp } from './smtp.js';

/** What a service with mail has besides. */
export interface Mailing {
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

/** For `startService`: starts the workers of a service with mail. */
export async function mailing(service: TestService, smtp: Smtp): Promise<Mailing> {
  const { context } = service;
  const background = await service.startBackground();
  return {
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
