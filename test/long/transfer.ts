import t from 'tap';
import { startService } from '../support/service.js';
import { historySettings, transferHistories } from '../support/transfer-histories.js';

/** `TRANSFER_HISTORIES=500` for fewer. */
const runs = Number(process.env['TRANSFER_HISTORIES'] ?? 10_000);

void t.test(`export, import and export of ${runs} histories give the same bytes`, async (t) => {
  const seed = Date.now() % 2 ** 31;
  t.comment(`seed ${seed}`);
  const service = await startService(t, historySettings);
  t.comment(JSON.stringify(await transferHistories(service, runs, seed)));
});
