import type { Kysely } from 'kysely';
import type { Test } from 'tap';
import { openSlots } from '../../scripts/bench/slots.js';
import { createDatabase, createPool } from '../../src/database/pool.js';
import type { Database } from '../../src/database/schema.js';
import { createLogger } from '../../src/platform/log.js';
import { mailedPerson } from './mail-audit.js';
import { freePort, spawnService, type ServiceProcess } from './process.js';
import { generous, mailFrom, secretKey } from './service.js';
import { startSmtp } from './smtp.js';

const publicBaseUrl = 'http://studio.test';

export interface MailProcesses {
  /** The test's own way to the rows. */
  database: Kysely<Database>;
  start(role: 'api' | 'worker', own?: Record<string, string>): Promise<ServiceProcess>;
}

/** Processes of the service on one database, and a server that receives their mail. */
export async function startMailProcesses(
  t: Test,
  connectionString: string,
  environment: Record<string, string> = {},
): Promise<MailProcesses> {
  // Without TLS, which a client that is killed in a handshake would leave half open.
  const smtp = await startSmtp(t, { tls: 'none' });
  const database = createDatabase(createPool({ connectionString }, createLogger('silent')));
  t.teardown(() => database.destroy());
  return {
    database,
    start: async (role, own) =>
      spawnService(t, {
        ...generous,
        ROLE: role,
        DATABASE_URL: connectionString,
        SECRET_KEY: secretKey,
        DATA_DIR: t.testdir(),
        LOG_LEVEL: 'debug',
        PUBLIC_BASE_URL: publicBaseUrl,
        METRICS_PORT: String(await freePort()),
        SMTP_URL: smtp.url,
        MAIL_FROM: mailFrom,
        ...environment,
        ...own,
      }),
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

/** Presses the button that confirms. Resolves with whether the page said that it was done. */
export async function confirmOn({ url }: ServiceProcess, path: string): Promise<boolean> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { origin: publicBaseUrl },
    body: new URLSearchParams({ action: 'confirm' }),
    redirect: 'manual',
  });
  await answer.arrayBuffer();
  return answer.status === 303;
}
