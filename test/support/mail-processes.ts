import type { Kysely } from 'kysely';
import type { Test } from 'tap';
import { openSlots } from '../../scripts/bench/slots.js';
import { createDatabase, createPool } from '../../src/database/pool.js';
import type { Database } from '../../src/database/schema.js';
import { createLogger } from '../../src/platform/log.js';
import { shiftDatabaseClock } from './clock.js';
import { mailedPerson } from './mail-audit.js';
import { mailFrom } from './mail-service.js';
import { freePort, spawnService, type ServiceProcess } from './process.js';
import { generous, secretKey } from './service.js';
import { startSmtp, type Smtp, type SmtpMoment } from './smtp.js';

const publicBaseUrl = 'http://studio.test';

export interface MailProcesses {
  smtp: Smtp;
  /** The test's own way to the rows. */
  database: Kysely<Database>;
  start(role: 'api' | 'worker', environment?: Record<string, string>): Promise<ServiceProcess>;
  /** What all processes have printed, and the metrics of the given ones. */
  texts(...running: ServiceProcess[]): Promise<string[]>;
  /** Ends all claims. */
  expireClaims(): Promise<void>;
}

/** Processes of the service on one database, and the server that receives their mail. */
export async function startMailProcesses(
  t: Test,
  connectionString: string,
  shared: Record<string, string> = {},
): Promise<MailProcesses> {
  // Without TLS, which a client that is killed in a handshake would leave half open.
  const smtp = await startSmtp(t, { tls: 'none' });
  const database = createDatabase(createPool({ connectionString }, createLogger('silent')));
  t.teardown(() => database.destroy());
  const started: ServiceProcess[] = [];
  const metricsPorts = new Map<ServiceProcess, number>();
  return {
    smtp,
    database,
    async start(role, environment = {}) {
      const metricsPort = await freePort();
      const service = await spawnService(t, {
        ...generous,
        ROLE: role,
        DATABASE_URL: connectionString,
        SECRET_KEY: secretKey,
        DATA_DIR: t.testdir(),
        LOG_LEVEL: 'debug',
        PUBLIC_BASE_URL: publicBaseUrl,
        METRICS_PORT: String(metricsPort),
        SMTP_URL: smtp.url,
        MAIL_FROM: mailFrom,
        MAIL_RETRY_SCHEDULE_SECONDS: Array.from({ length: 20 }, () => 1).join(),
        ...shared,
        ...environment,
      });
      started.push(service);
      metricsPorts.set(service, metricsPort);
      return service;
    },
    async texts(...running) {
      const metrics = await Promise.all(
        running.map(async (service) => {
          const answer = await fetch(`http://127.0.0.1:${metricsPorts.get(service)}/metrics`);
          if (!answer.ok) throw new Error(`metrics: ${answer.status}`);
          return answer.text();
        }),
      );
      return [...started.map((service) => service.output()), ...metrics];
    },
    expireClaims: () => shiftDatabaseClock(database, 91_000),
  };
}

/**
 * Holds of different persons, one after the other: a process that has just started opens few connections
 * within its time on a busy machine. Returns the paths of their checkout pages.
 */
export async function holdMany({ url }: ServiceProcess, count: number): Promise<string[]> {
  const paths: string[] = [];
  for (const [index, slot] of (await openSlots(url, count)).entries()) {
    const answer = await fetch(`${url}/api/public/holds`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...slot, ...mailedPerson(index) }),
    });
    if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`);
    const { data } = (await answer.json()) as { data: { checkout_url: string } };
    paths.push(new URL(data.checkout_url).pathname);
  }
  return paths;
}

/** Confirms one after the other. Resolves with whether all were confirmed. */
export async function confirmMany(api: ServiceProcess, paths: string[]): Promise<boolean> {
  const confirmed: boolean[] = [];
  for (const path of paths) confirmed.push(await confirmOn(api, path));
  return confirmed.every(Boolean);
}

/** Presses the button that confirms. Resolves with whether the page said that it was done. */
export async function confirmOn({ url }: ServiceProcess, path: string): Promise<boolean> {
  try {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { origin: publicBaseUrl },
      body: new URLSearchParams({ action: 'confirm' }),
      redirect: 'manual',
    });
    await answer.text();
    return answer.status === 303;
  } catch {
    // The process or its database is gone.
    return false;
  }
}

export interface Jam {
  plan: (moment: SmtpMoment) => { until: Promise<unknown> } | null;
  /** Resolves when so many mails are stuck. */
  stuck: Promise<void>;
  /** Lets them continue, and no more be stuck. */
  release(): void;
}

/**
 * A plan that lets some mails pass and then stops every connection in the middle of a mail: at the
 * end of DATA, or every other one in its midst.
 */
export function jamAfter(
  passing: number,
  connections: number,
  { inContent = true }: { inContent?: boolean } = {},
): Jam {
  let begun = 0;
  let isReleased = false;
  let stuckCount = 0;
  let release: () => void = () => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  let jammed: () => void = () => undefined;
  const stuck = new Promise<void>((resolve) => (jammed = resolve));
  return {
    stuck,
    release() {
      isReleased = true;
      release();
    },
    plan({ stage }) {
      if (stage === 'content') begun += 1;
      if (isReleased || begun <= passing) return null;
      if (stage !== 'end' && !(inContent && stage === 'content' && begun % 2 === 0)) return null;
      stuckCount += 1;
      if (stuckCount === connections) jammed();
      return { until };
    },
  };
}
