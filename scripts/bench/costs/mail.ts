import { startMailServer } from '../probes/mail-server.js';
import { confirm, prepareMail } from '../probes/mail.js';
import { median } from '../row.js';
import type { Cost } from './cost.js';
import { countingSettings, createMeter } from './meter.js';

const confirmations = 1_000;
const mailsPerConfirmation = 2;

/** A mail to a fast server, from the event row to the record of the attempt. */
export async function costsOfMail(progress: (step: string) => void): Promise<Cost> {
  progress('mail');
  const server = await startMailServer();
  const setup = await prepareMail(server, countingSettings);
  const worker = await setup.startWorker();
  try {
    const meter = await createMeter(setup.database, worker.child.pid!, setup.postmaster);
    let sizes: number[] = [];
    const usage = await meter.measure(async () => {
      const { arrivals } = await server.expect(confirmations * mailsPerConfirmation);
      await confirm(setup.database, confirmations);
      sizes = (await arrivals).map(({ bytes }) => bytes);
      return sizes.length;
    });
    return { what: 'mail', ...usage, bytes: { in: 0, out: median(sizes) } };
  } finally {
    await worker.stop();
    await setup.stop();
    await server.stop();
  }
}
