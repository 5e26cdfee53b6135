import type { HoldRequest } from '../../generated/schemas.js';
import type { Slot } from '../../src/schedule/slots.js';
import { sessionForPerson } from './holds.js';
import { provenBrowser } from './mail-rows.js';
import type { TestService } from './service.js';
import type { Smtp } from './smtp.js';

export type Mailing = Awaited<ReturnType<typeof startMailing>>;

/** For `startService`: starts the workers of a service with mail. */
export async function startMailing(service: TestService, smtp: Smtp) {
  const { context } = service;
  const background = await service.startBackground();
  return {
    smtp,
    background,
    /** Holds the slot for a person and confirms it. */
    book: (slot: Slot, changes?: Partial<HoldRequest>) => sessionForPerson(service, changes, slot),
    /** Resolves when every event is dispatched and no mail is due. */
    async settle() {
      await background.mailDispatcher.dispatchAll();
      await background.mailer?.sendDue();
    },
    /** What a browser keeps whose person has typed a right code for the booking. */
    browser: (bookingId: string) => provenBrowser(context, bookingId),
    /** All mails, in their order. */
    mails: () => context.database.selectFrom('mails').selectAll().orderBy('position').execute(),
  };
}
