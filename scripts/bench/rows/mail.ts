import { mailRate, startMailServer, type MailServer } from '../probes/mail-server.js';
import { confirm, prepareMail, sendBare, type MailSetup } from '../probes/mail.js';
import { now } from '../probes/webhooks.js';
import {
  comparedRow,
  measurePairs,
  percentile,
  plainRow,
  type Measurement,
  type Row,
} from '../row.js';

const rounds = 5;
const confirmationsPerRound = 1_500;
const singleConfirmations = 300;
const warmUps = 30;

/** Each confirmation makes one for the person and one for the studio. */
const mailsPerConfirmation = 2;

/**
 * Mail to a server that accepts quickly, in a process of its own: mails per second compared with a
 * bare nodemailer loop, and the time from a commit to the end of DATA.
 */
export const mail: Measurement = async (progress) => {
  const server = await startMailServer();
  const setup = await prepareMail(server);
  try {
    return [
      await withWorker(setup, () => timeToEndOfData(server, setup, progress)),
      ...(await withWorker(setup, () => mailsPerSecond(server, setup, progress))),
    ];
  } finally {
    await setup.stop();
    await server.stop();
  }
};

async function withWorker<Result>(setup: MailSetup, work: () => Promise<Result>): Promise<Result> {
  const worker = await setup.startWorker();
  try {
    return await work();
  } finally {
    await worker.stop();
  }
}

async function timeToEndOfData(
  server: MailServer,
  { database }: MailSetup,
  progress: (step: string) => void,
): Promise<Row> {
  const latencies: number[] = [];
  progress(`${singleConfirmations} confirmations, one by one`);
  for (let count = -warmUps; count < singleConfirmations; count += 1) {
    const { arrivals } = await server.expect(mailsPerConfirmation);
    await confirm(database, 1, 'single');
    const committedAt = now();
    const arrived = await arrivals;
    const mine = arrived.find(({ recipient }) => recipient.startsWith('single'));
    if (count >= 0) latencies.push((mine?.at ?? NaN) - committedAt);
  }
  const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
  return plainRow(
    "mail, from the commit of a confirmation to the end of the person's DATA",
    `median ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
  );
}

async function mailsPerSecond(
  server: MailServer,
  { database }: MailSetup,
  progress: (step: string) => void,
): Promise<Row[]> {
  const count = confirmationsPerRound * mailsPerConfirmation;
  progress(`${count} mails, against a bare loop`);
  const ours = async (): Promise<number> => {
    const { arrivals } = await server.expect(count);
    await confirm(database, confirmationsPerRound);
    return mailRate(await arrivals);
  };
  const bare = (options?: { renders: boolean }) =>
    sendBare(server, database, count, ['person-confirmation', 'studio-confirmation'], options);
  await ours();
  await bare();
  const measured = await measurePairs(rounds, ours, bare);
  const rendering = await measurePairs(rounds, ours, () => bare({ renders: true }));
  const unit = 'mails/s';
  return [
    comparedRow('mails of confirmations to one fast server', unit, 'bare nodemailer', measured, {
      least: 0.6,
    }),
    comparedRow(
      'mails of confirmations, against a loop that renders each',
      unit,
      'renders and sends',
      rendering,
      null,
    ),
  ];
}
