import {
  correctByStudio,
  type CorrectionOptions,
  type GivenCorrections,
} from '../../src/domain/studio/correction.js';
import { personNumber, someOpenSlots } from './requests.js';
import type { MailService } from './service.js';

export const correctingActor = 'ada@front-desk';

/** Sessions whose people have a wrong address, and the studio that corrects them. */
export function correctionsOn(service: MailService) {
  const { context, smtp } = service;
  let people = 0;
  const correct = (id: string, given: GivenCorrections, seen: CorrectionOptions = {}) =>
    correctByStudio(context, correctingActor, id, given, seen);
  return {
    async book() {
      people += 2;
      const [slot] = await someOpenSlots(context, 1);
      const { email, phone } = personNumber(people);
      const booking = await service.book(slot!, { email, phone, idea: 'A heron' });
      await service.settle();
      return { ...booking, slot: slot!, wrong: email, right: personNumber(people + 1).email };
    },
    correct,
    async corrected(id: string, given: GivenCorrections) {
      const made = await correct(id, given);
      if (made.outcome !== 'corrected') throw new Error(made.outcome);
      return made;
    },
    /** What an address has received. */
    async mailbox(address: string) {
      const mails = smtp.received().filter(({ to }) => to.includes(address));
      return Promise.all(mails.map((mail) => mail.parsed()));
    },
  };
}
