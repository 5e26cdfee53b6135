import { requestsPerSecond } from '../load.js';
import { startBaseline } from '../processes.js';
import { inPairs, type Measurement } from '../row.js';

const rounds = 7;
const seconds = 3;
const connections = 32;

/** GET /studio with identification and charging of callers, against the same without. */
export const access: Measurement = async (progress) => {
  const ours = await startBaseline('callers.ts', ['with']);
  const without = await startBaseline('callers.ts', ['without']);
  try {
    const path = '/api/public/studio';
    const key = await mintKey(ours.url);
    const rows = [];
    for (const { who, headers } of [
      { who: 'anonymous', headers: {} },
      { who: 'with an API key', headers: { authorization: `Bearer ${key}` } },
    ]) {
      progress(who);
      const measured = await inPairs(
        rounds,
        () => requestsPerSecond(ours.url + path, seconds, connections, headers),
        () => requestsPerSecond(without.url + path, seconds, connections, headers),
      );
      rows.push({
        what: `GET /studio, ${who}: authentication and limits`,
        ours: `${Math.round(measured.ours)}/s`,
        baseline: `${Math.round(measured.baseline)}/s, without them`,
        ratio: measured.ratio,
        aim: 'reported',
        reached: null,
      });
    }
    return rows;
  } finally {
    await ours.stop();
    await without.stop();
  }
};

async function mintKey(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/public/agent-keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'bench@example.com' }),
  });
  return ((await answer.json()) as { data: { key: string } }).data.key;
}
