import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../src/client/client.js';
import { loadConfig } from '../../src/config.js';
import { createLogger } from '../../src/platform/log.js';
import { startService } from '../../src/service.js';
import { freePort } from '../free-port.js';
import { runAgents } from './agents.js';
import { fillWeeks } from './weeks.js';

export interface DemoOptions {
  /** 0 selects a free port. */
  port: number;
  /** Receives a sentence about each step. */
  tell: (line: string) => void;
  /** Stops the demo. */
  signal: AbortSignal;
}

export interface Demo {
  url: string;
  holdSeconds: number;
  /** Resolves when everything has stopped and the data is removed. */
  ended: Promise<void>;
}

const holdSeconds = 20;
const plenty = '1000000';

/** Resolves when the dashboard has bookings to show. */
export async function startDemo({ port, tell, signal }: DemoOptions): Promise<Demo> {
  const folder = await mkdtemp(join(tmpdir(), 'tattoo-studio-demo-'));
  const cleanUp = () => rm(folder, { recursive: true, force: true });
  try {
    const config = loadConfig({
      DATA_DIR: folder,
      PORT: String(port === 0 ? await freePort() : port),
      LOG_LEVEL: 'error',
      HOLD_LIFETIME_SECONDS: String(holdSeconds),
      READS_PER_MINUTE_ANONYMOUS: plenty,
      WRITES_PER_HOUR_ANONYMOUS: plenty,
      MAX_PENDING_HOLDS: plenty,
      MAX_PENDING_HOLDS_PER_CALLER: plenty,
      MAX_LIVE_BOOKINGS_PER_PERSON: plenty,
      MAX_LIVE_BOOKINGS_PER_CALLER: plenty,
      MAX_STREAMS_PER_ADDRESS: plenty,
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
    const ended = runAgents(client, holdSeconds, tell, signal).finally(async () => {
      await service.stop();
      await cleanUp();
    });
    return { url, holdSeconds, ended };
  } catch (error) {
    await cleanUp();
    throw error;
  }
}
