import { requestsPerSecond } from '../load.js';
import { startBaseline } from '../processes.js';
import { measurePairs, type Measurement } from '../row.js';

const rounds = 5;
const seconds = 3;
const connections = 32;

/** GET /studio with identification and rate limiting of callers, compared with neither. */
export const access: Measurement = async (progress) => {
  const ours = await startBaseline('callers.ts', ['with']);
  const baseline = await startBaseline('callers.ts', ['without']);
  try {
    const path = '/api/public/studio';
    const key = await createApiKey(ours.url);
    const rows = [];
    for (const { caller, headers } of [
      { caller: 'anonymous', headers: {} },
      { caller: 'with an API key', headers: { authorization: `Bearer ${key}` } },
    ]) {
      progress(caller);
      const measured = await measurePairs(
        rounds,
        () => requestsPerSecond(ours.url + path, seconds, connections, headers),
        () => requestsPerSecond(baseline.url + path, seconds, connections, headers),
      );
      rows.push({
        what: `GET /studio, ${caller}: authentication and limits`,
        ours: `${Math.round(measured.ours)}/s`,
        baseline: `${Math.round(measured.baseline)}/s, without them`,
        ratio: measured.ratio,
        spread: measured.spread,
        aim: 'reported',
        reached: null,
      });
    }
    return rows;
  } finally {
    await ours.stop();
    await baseline.stop();
  }
};

async function createApiKey(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/public/agent-keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'bench@example.com' }),
  });
  return ((await answer.json()) as { data: { key: string } }).data.key;
}
