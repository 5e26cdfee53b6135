import { requestsPerSecond } from '../load.js';
import { startBaseline, startService } from '../processes.js';
import { inPairs, type Measurement } from '../row.js';
import { openSlots, placeHold } from '../slots.js';

const rounds = 5;
const seconds = 3;

/** The three reads, with limits and logging on, against a bare route that sends the same bytes. */
export const reads: Measurement = async (progress) => {
  const service = await startService();
  try {
    const [slot] = await openSlots(service.url, 1);
    const booking = await placeHold(service.url, slot!);
    const from = slot!.date;
    const to = new Date(Date.parse(from) + 30 * 86_400_000).toISOString().slice(0, 10);
    const targets = [
      { what: 'GET /studio', path: '/api/public/studio', aim: 0.6 },
      {
        what: 'GET /availability, 31 days',
        path: `/api/public/availability?from=${from}&to=${to}`,
        aim: 0.8,
      },
      { what: 'GET /bookings/{id}', path: `/api/public/bookings/${booking.id}`, aim: 0.3 },
    ];
    const rows = [];
    for (const { what, path, aim } of targets) {
      progress(what);
      const url = service.url + path;
      const bytes = Buffer.from(await (await fetch(url)).arrayBuffer()).toString('base64');
      const baseline = await startBaseline('bytes.ts', [bytes]);
      const measured = await inPairs(
        rounds,
        () => requestsPerSecond(url, seconds),
        () => requestsPerSecond(baseline.url, seconds),
      );
      await baseline.stop();
      rows.push({
        what,
        ours: `${Math.round(measured.ours)}/s`,
        baseline: `${Math.round(measured.baseline)}/s, bare Fastify`,
        ratio: measured.ratio,
        aim: `≥ ${aim}`,
        reached: measured.ratio >= aim,
      });
    }
    return rows;
  } finally {
    await service.stop();
  }
};
