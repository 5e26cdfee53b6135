import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BookingClient, createClient } from '../../src/client/client.js';
import { loadConfig } from '../../src/config/config.js';
import { createLogger } from '../../src/platform/log.js';
import { type Service, startService } from '../../src/service.js';
import { freePort } from '../../test/support/process.js';
import { runAgents } from './agents.js';
import { type Mailbox, startMailbox } from './mailbox.js';
import { fillWeeks } from './weeks.js';

export interface DemoOptions {
  /** 0 for any free port. */
  port: number;
  /** Receives each line of output. */
  print: (line: string) => void;
  /** Ends the demo. */
  signal: AbortSignal;
}

export interface Demo {
  url: string;
  /** The page that shows all mail. */
  mailboxUrl: string;
  holdSeconds: number;
  /** Resolves when the service has stopped and its data is deleted. */
  ended: Promise<void>;
}

export interface DemoStudio {
  service: Service;
  client: BookingClient;
  mailbox: Mailbox;
  /** Stops the service and the mailbox, and deletes their data. */
  stop: () => Promise<void>;
}

const holdSeconds = 20;
const unlimited = '1000000';

/** Starts the service and a mailbox, fills its calendar and lets agents book. */
export async function startDemo({ port, print, signal }: DemoOptions): Promise<Demo> {
  const { service, client, mailbox, stop } = await startDemoStudio({
    PORT: String(port === 0 ? await freePort() : port),
    HOLD_LIFETIME_SECONDS: String(holdSeconds),
  });
  await fillWeeks(client, service.context).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const ended = runAgents(client, holdSeconds, mailbox, print, signal).finally(stop);
  const url = service.context.config.publicBaseUrl;
  return { url, mailboxUrl: mailbox.url, holdSeconds, ended };
}

/** Starts a service with an empty calendar, almost no limits, and a mailbox that gets its mails. */
export async function startDemoStudio(settings: Record<string, string>): Promise<DemoStudio> {
  const folder = await mkdtemp(join(tmpdir(), 'tattoo-studio-demo-'));
  const mailbox = await startMailbox();
  const cleanUp = async () => {
    await mailbox.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const config = loadConfig({
      DATA_DIR: folder,
      LOG_LEVEL: 'error',
      READS_PER_MINUTE_ANONYMOUS: unlimited,
      WRITES_PER_HOUR_ANONYMOUS: unlimited,
      MAX_PENDING_HOLDS: unlimited,
      MAX_PENDING_HOLDS_PER_CALLER: unlimited,
      MAX_LIVE_BOOKINGS_PER_PERSON: unlimited,
      MAX_LIVE_BOOKINGS_PER_CALLER: unlimited,
      MAX_STREAMS_PER_ADDRESS: unlimited,
      SMTP_URL: mailbox.smtpUrl,
      MAIL_FROM: 'Night Heron Tattoo <booking@nightheron.example>',
      ...settings,
    });
    const service = await startService(config, createLogger(config.logLevel), (error) => {
      throw error;
    });
    const client = createClient({ baseUrl: config.publicBaseUrl });
    const stop = async () => {
      await service.stop();
      await cleanUp();
    };
    return { service, client, mailbox, stop };
  } catch (error) {
    await cleanUp();
    throw error;
  }
}
