import pTimeout from 'p-timeout';
import { connectBullmq, pingRedis } from '../../jobs/bullmq.js';
import { createQueues } from '../../jobs/queues.js';
import { failure, type Finding, ok, warning } from '../failure.js';
import type { Session } from '../session.js';

/** BullMQ retries without end while Redis is down. */
const timeoutMs = 3_000;

export async function checkQueues({ config, connection, log }: Session): Promise<Finding> {
  const redis = config.redisUrl === null ? null : await checkRedis(config.redisUrl);
  // BullMQ reports less.
  if (redis !== null && redis.status !== 'ok') return redis;
  const bullmq = connectBullmq(config.redisUrl, connection, log);
  const countJobs = async () => {
    const queues = createQueues(bullmq);
    const counted = await queues.countJobs();
    await queues.close();
    return counted;
  };
  const store = redis !== null ? 'Redis (REDIS_URL)' : 'The database';
  const message = `${store} does not answer about the queues.`;
  const counted = await pTimeout(countJobs(), { milliseconds: timeoutMs, message }).finally(() =>
    bullmq.close(),
  );
  const jobs = counted.map(({ queue, counts }) => {
    const states = Object.entries(counts).filter(([, number]) => number > 0);
    const known = states.map(([state, number]) => `${number} ${state}`).join(', ');
    return `${queue}: ${known || 'empty'}`;
  });
  return ok(`On ${redis !== null ? 'Redis' : 'PostgreSQL'}. ${jobs.join('; ')}.`);
}

/** Why Redis refuses, and what to check; the URL has the password and is not named. */
export async function checkRedis(redisUrl: string): Promise<Finding> {
  const { error, evictionPolicy: policy } = await pingRedis(redisUrl, timeoutMs);
  if (error === null) {
    return policy === null || policy === 'noeviction'
      ? ok('Redis (REDIS_URL) answers.')
      : warning(
          `Redis deletes jobs and counted requests once its memory is full (maxmemory-policy ${policy}): set maxmemory-policy to noeviction.`,
        );
  }
  if (/^(WRONGPASS|NOAUTH|ERR .*AUTH)/.test(error)) {
    return failure('Redis refuses the login: check user and password in REDIS_URL.');
  }
  const other = await otherScheme(redisUrl);
  return failure(
    other !== null
      ? `Redis answers ${other === 'redis' ? 'without' : 'only with'} TLS: begin REDIS_URL with ${other}://, or switch TLS ${other === 'redis' ? 'on' : 'off'} in Redis.`
      : `Redis (REDIS_URL) does not answer (${error}): start it, or check host and port in REDIS_URL.`,
  );
}

/** The scheme with which Redis answers where it does not with that of the URL, or null. */
async function otherScheme(redisUrl: string): Promise<'redis' | 'rediss' | null> {
  const scheme = redisUrl.startsWith('rediss:') ? 'redis' : 'rediss';
  // The login is left out: nobody should read it.
  const url = Object.assign(new URL(redisUrl), { protocol: scheme, username: '', password: '' });
  const { error } = await pingRedis(url.href, timeoutMs);
  return error === null || /^NOAUTH|CERT/.test(error) ? scheme : null;
}
