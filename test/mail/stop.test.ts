import t from 'tap';
import { startMailService } from '../support/mail-service.js';
import { someOpenSlots } from '../support/requests.js';

void t.test(
  'a stop cuts the mails that a silent server holds up, and the next process sends them at once',
  async (t) => {
    const service = await startMailService(t);
    const { smtp } = service;
    const [slot] = await someOpenSlots(service.context, 1);
    if (slot === undefined) throw new Error('no open slot');
    const held = new Promise<void>((resolve) => {
      let count = 0;
      smtp.misbehave(({ stage }) => {
        if (stage !== 'RCPT') return null;
        if ((count += 1) === 2) resolve();
        return 'silence';
      });
    });
    await service.book(slot);
    await held;
    await service.background.stop();
    await smtp.allClosed();
    const waiting = (await service.mails()).filter(({ kind }) => kind === 'confirmation');
    t.equal(waiting.length, 2);
    for (const mail of waiting) {
      t.match(mail, { status: 'pending', claimed_until: null, attempts: 0 });
    }

    smtp.misbehave(null);
    await service.startBackground();
    t.equal((await smtp.waitFor(2)).length, 2);
  },
);
