import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { query, temporaryFolder } from '../support/embedded.js';
import { openSlots, postHold, postWebhook } from '../support/http-requests.js';
import { freePort, launch, type ServiceProcess } from '../support/process.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import type { Scope } from '../support/service-log.js';
import { generous } from '../support/service.js';
import { startSmtp } from '../support/smtp.js';

export type Host = Awaited<ReturnType<typeof startHost>>;
export type Installation = Awaited<ReturnType<typeof install>>;

/** `name`: `all`, `api 1`, `worker 2`; its first word is the role. */
export interface HostPlan {
  name: string;
  environment?: Record<string, string>;
}

const healthyWithinMs = 300_000;
const newsWithinMs = 30_000;
const restartPauseMs = 500;
const probeSlotCount = 30;
const crowdSlotCount = 800;
const questionTimeoutMs = 3_000;
const retrySchedule = '1,1,2,2,5,5,5,5,5,5,5,5,5,5,5,5';
const allEvents = ['hold.created', 'booking.confirmed', 'hold.expired'];

const environment = {
  ...generous,
  SECRET_KEY: 'a secret that only the tests know, of enough length',
  BOOKING_HORIZON_DAYS: '730',
  HOLD_LIFETIME_SECONDS: '5',
  WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
  WEBHOOK_RETRY_SCHEDULE_SECONDS: retrySchedule,
  MAIL_FROM: 'Night Heron <booking@nightheron.example>',
  MAIL_RETRY_SCHEDULE_SECONDS: retrySchedule,
  LOG_LEVEL: 'warn',
};

/**
 * Starts the processes, subscribes a receiver twice, and resolves when all are healthy.
 * `findDatabase`: asked for the connection string once they are.
 */
export async function install(
  scope: Scope,
  plans: HostPlan[],
  findDatabase: () => Promise<string>,
) {
  const smtp = await startSmtp(scope, { tls: 'none' });
  const hosts = await Promise.all(plans.map((plan) => startHost(scope, plan, smtp.url)));
  while (!(await allHealthy(hosts))) await delay(100);
  const urls = hosts.filter(({ name }) => !name.startsWith('worker')).map(({ url }) => url);
  const receiver = await startReceiver();
  scope.teardown(() => receiver.close());
  const [url = ''] = urls;
  const subscriptions = [
    await subscribe(url, receiver, '/all', allEvents),
    await subscribe(url, receiver, '/expired', ['hold.expired']),
  ];
  const connectionString = await findDatabase();
  // As after a first success: a subscription that is not proven is spared most deliveries.
  await query(connectionString, 'update webhook_subscriptions set has_succeeded = true');
  const slots = await openSlots(url, probeSlotCount + crowdSlotCount);
  return {
    hosts,
    /** Of the hosts that serve requests. */
    urls,
    /** The way of the auditor to the rows. */
    connectionString,
    receiver,
    smtp,
    subscriptions,
    /** For the clients; the first slots of the calendar are reserved for probes. */
    slots: slots.slice(probeSlotCount),
    probeSlots: slots.slice(0, probeSlotCount),
  };
}

async function allHealthy(hosts: Host[]): Promise<boolean> {
  return (await Promise.all(hosts.map((host) => host.isHealthy()))).every(Boolean);
}

/**
 * Resolves when every process says that it is ready, each of them holds a slot, and the receiver
 * has heard of it: the whole way that a booking takes.
 */
export async function untilHealthy(installation: Installation, signal: AbortSignal): Promise<void> {
  const { hosts, urls, receiver, probeSlots } = installation;
  const endsAt = performance.now() + healthyWithinMs;
  let next = 0;
  const pause = async (): Promise<void> => {
    if (performance.now() > endsAt) throw new Error('it did not become healthy in time');
    await delay(100, undefined, { signal });
  };
  /** Whether a hold at that address was had and heard of. */
  const works = async (url: string): Promise<boolean> => {
    const placed = postHold(url, probeSlots[next++ % probeSlots.length]!).catch(() => null);
    const hold = await Promise.race([placed, delay(10_000, null)]);
    const givenUpAt = performance.now() + newsWithinMs;
    while (hold !== null && performance.now() < givenUpAt) {
      if (receiver.requests.some(({ body }) => body.includes(hold.id))) return true;
      await pause();
    }
    return false;
  };
  while (!(await allHealthy(hosts)) || !(await Promise.all(urls.map(works))).every(Boolean)) {
    await pause();
  }
}

/** One process of the service, started again whenever it ends, as an init system would. */
async function startHost(scope: Scope, { name, environment: own }: HostPlan, smtpUrl: string) {
  const [role = ''] = name.split(' ');
  const [port, metricsPort] = [await freePort(), await freePort()];
  const dataDir = await temporaryFolder(scope);
  let present: Omit<ServiceProcess, 'url'>;
  let isOver = false;
  let isAsked = false;
  let unaskedEnds = 0;

  async function keepRunning(): Promise<void> {
    while (!isOver) {
      present = launch(
        // They are ended below, together with the wish to start them again.
        { teardown: () => undefined },
        {
          ...environment,
          ROLE: role,
          PORT: String(port),
          METRICS_PORT: String(metricsPort),
          DATA_DIR: dataDir,
          SMTP_URL: smtpUrl,
          ...own,
        },
        ['dist/bundle/main.js'],
      );
      await once(present.child, 'exit');
      if (isOver) return;
      if (!isAsked) unaskedEnds += 1;
      isAsked = false;
      await delay(restartPauseMs);
    }
  }
  scope.teardown(async () => {
    isOver = true;
    // The process that started the database stops it.
    await present.end(role === 'all' ? 'SIGTERM' : 'SIGKILL');
  });
  void keepRunning();

  const readiness = `http://127.0.0.1:${role === 'worker' ? metricsPort : port}/readyz`;
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    /** Unexpected exits. */
    unaskedEnds: () => unaskedEnds,
    /** What the present process has printed. */
    output: () => present.output(),
    kill() {
      isAsked = true;
      present.child.kill('SIGKILL');
    },
    isHealthy: () =>
      fetch(readiness, { signal: AbortSignal.timeout(questionTimeoutMs) }).then(
        ({ ok }) => ok,
        () => false,
      ),
  };
}

async function subscribe(url: string, receiver: Receiver, path: string, events: string[]) {
  const { id, signing_secret: secret } = await postWebhook(url, receiver.origin + path, events);
  return { id, secret, path, events };
}
