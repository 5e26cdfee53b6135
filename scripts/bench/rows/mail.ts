import { setTimeout as delay } from 'node:timers/promises';
import { memoryOf } from '../audience.js';
import { mailRate, startMailServer, type MailServer } from '../probes/mail-server.js';
import { confirm, insertReminders, prepareMail, sendBare, type MailSetup } from '../probes/mail.js';
import { processorSeconds, processorSecondsOfTree } from '../probes/processor-time.js';
import { now } from '../probes/webhooks.js';
import type { RunningService } from '../processes.js';
import { measurePairs, median, percentile, type Measurement, type Row } from '../row.js';

const rounds = 5;
const confirmationsPerRound = 1_500;
const singleConfirmations = 300;
const warmUps = 30;
const reminders = 10_000;
const reminderRounds = 3;
const aim = 0.6;

/** Each confirmation makes one for the person and one for the studio. */
const mailsPerConfirmation = 2;
/** A confirmation announces the reminders, and another one is sent amid them. */
const mailsPerReminderRound = reminders + 2 * mailsPerConfirmation;

/**
 * Mail to a server that accepts quickly, in a process of its own: mails per second compared with a
 * bare nodemailer loop, the time from a commit to the end of DATA, and many reminders at once.
 */
export const mail: Measurement = async (progress) => {
  const server = await startMailServer();
  const setup = await prepareMail(server);
  try {
    return [
      await withWorker(setup, () => timeToEndOfData(server, setup, progress)),
      ...(await withWorker(setup, () => mailsPerSecond(server, setup, progress))),
      ...(await withWorker(setup, (worker) => manyReminders(server, setup, worker, progress))),
    ];
  } finally {
    await setup.stop();
    await server.stop();
  }
};

async function withWorker<Result>(
  setup: MailSetup,
  work: (worker: RunningService) => Promise<Result>,
): Promise<Result> {
  const worker = await setup.startWorker();
  try {
    return await work(worker);
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
  return {
    what: "mail, from the commit of a confirmation to the end of the person's DATA",
    ours: `median ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
    baseline: '–',
    ratio: null,
    aim: '–',
    reached: null,
  };
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
  const bareRow: Row = {
    what: 'mails of confirmations to one fast server',
    ours: `${Math.round(measured.ours)}/s`,
    baseline: `${Math.round(measured.baseline)}/s, bare nodemailer`,
    ratio: measured.ratio,
    spread: measured.spread,
    aim: `≥ ${aim}`,
    reached: measured.ratio >= aim,
  };
  const renderingRow: Row = {
    what: 'mails of confirmations, against a loop that renders each',
    ours: `${Math.round(rendering.ours)}/s`,
    baseline: `${Math.round(rendering.baseline)}/s, renders and sends`,
    ratio: rendering.ratio,
    spread: rendering.spread,
    aim: '–',
    reached: null,
  };
  return [bareRow, renderingRow];
}

interface ReminderRound {
  seconds: number;
  /** From the commit of the confirmation in the middle to the end of its DATA. */
  middleMs: number;
  /** Of the processors, per mail. */
  serviceMicros: number;
  postgresMicros: number;
}

async function manyReminders(
  server: MailServer,
  setup: MailSetup,
  worker: RunningService,
  progress: (step: string) => void,
): Promise<Row[]> {
  progress(`${reminders} reminders, against a bare loop`);
  const measuredRounds: ReminderRound[] = [];
  const measured = await measurePairs(
    reminderRounds,
    async () => {
      const round = await sendReminders(server, setup, worker);
      measuredRounds.push(round);
      return round.seconds;
    },
    async () =>
      mailsPerReminderRound /
      (await sendBare(server, setup.database, mailsPerReminderRound, ['person-reminder'])),
  );
  const medianOf = (figure: keyof ReminderRound): string =>
    median(measuredRounds.map((round) => round[figure])).toFixed(0);
  const row = (what: string, ours: string): Row => ({
    what: `${reminders} due reminders, ${what}`,
    ours,
    baseline: '–',
    ratio: null,
    aim: '–',
    reached: null,
  });
  return [
    {
      ...row('the last of them', `${measured.ours.toFixed(1)} s`),
      baseline: `${measured.baseline.toFixed(1)} s, bare nodemailer`,
      ratio: measured.ratio,
      spread: measured.spread,
    },
    row('processor time per mail of the service', `${medianOf('serviceMicros')} µs`),
    row('processor time per mail of PostgreSQL', `${medianOf('postgresMicros')} µs`),
    row('peak memory of the worker', `${await memoryOf(worker, 'VmHWM')} MB`),
    row('a confirmation in the middle of them', `${medianOf('middleMs')} ms`),
  ];
}

/** A confirmation announces them all; another one is made when half of them are sent. */
async function sendReminders(
  server: MailServer,
  { database, postmaster }: MailSetup,
  worker: RunningService,
): Promise<ReminderRound> {
  const pid = worker.child.pid ?? 0;
  await insertReminders(database, reminders);
  const { half, arrivals } = await server.expect(mailsPerReminderRound);
  const used = async () => [processorSeconds(pid), await processorSecondsOfTree(postmaster)];
  const [serviceBefore = NaN, postgresBefore = NaN] = await used();
  await confirm(database, 1, 'first');
  await half;
  await confirm(database, 1, 'middle');
  const committedAt = now();
  const arrived = await arrivals;
  // So that the last outcomes are recorded.
  await delay(200);
  const [serviceAfter = NaN, postgresAfter = NaN] = await used();
  const microsPerMail = (seconds: number): number => (seconds * 1e6) / arrived.length;
  const middle = arrived.find(({ recipient }) => recipient.startsWith('middle'))?.at ?? NaN;
  return {
    seconds: arrived.length / mailRate(arrived),
    middleMs: middle - committedAt,
    serviceMicros: microsPerMail(serviceAfter - serviceBefore),
    postgresMicros: microsPerMail(postgresAfter - postgresBefore),
  };
}
