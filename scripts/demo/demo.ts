import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../src/client/client.js';
import { loadConfig } from '../../src/config/config.js';
import { createLogger } from '../../src/platform/log.js';
import { startService } from '../../src/service.js';
import { freePort } from '../free-port.js';
import { runAgents } from './agents.js';
import { startMailbox } from './mailbox.js';
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

const holdSeconds = 20;
const unlimited = '1000000';

/** Starts the service and a mailbox, fills its calendar and lets agents book. */
export async function startDemo({ port, print, signal }: DemoOptions): Promise<Demo> {
  const folder = await mkdtemp(join(tmpdir(), 'tattoo-studio-demo-'));
  const mailbox = await startMailbox();
  const cleanUp = async () => {
    await mailbox.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const config = loadConfig({
      DATA_DIR: folder,
      PORT: String(port === 0 ? await freePort() : port),
      LOG_LEVEL: 'error',
      HOLD_LIFETIME_SECONDS: String(holdSeconds),
      READS_PER_MINUTE_ANONYMOUS: unlimited,
      WRITES_PER_HOUR_ANONYMOUS: unlimited,
      MAX_PENDING_HOLDS: unlimited,
      MAX_PENDING_HOLDS_PER_CALLER: unlimited,
      MAX_LIVE_BOOKINGS_PER_PERSON: unlimited,
      MAX_LIVE_BOOKINGS_PER_CALLER: unlimited,
      MAX_STREAMS_PER_ADDRESS: unlimited,
      SMTP_URL: mailbox.smtpUrl,
      MAIL_FROM: 'Night Heron Tattoo <booking@nightheron.example>',
    });
    const log = createLogger(config.logLevel);
    const service = await startService(config, log, (error) => {
      throw error;
    });
    const url = config.publicBaseUrl;
    const client = createClient({ baseUrl: url });
    await fillWeeks(client, service.context).catch(async (error: unknown) => {
      await service.stop();
      throw error;
    });
    const ended = runAgents(client, holdSeconds, mailbox, print, signal).finally(async () => {
      await service.stop();
      await cleanUp();
    });
    return { url, mailboxUrl: mailbox.url, holdSeconds, ended };
  } catch (error) {
    await cleanUp();
    throw error;
  }
}
