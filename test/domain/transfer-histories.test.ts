import t from 'tap';
import { seed } from '../support/arbitraries.js';
import { startService } from '../support/service.js';
import { historySettings, transferHistories } from '../support/transfer-histories.js';

const runs = 24;

void t.test('export, import and export of random histories give the same bytes', async (t) => {
  t.comment(`seed ${seed}`);
  const service = await startService(t, historySettings);
  const seen = await transferHistories(service, runs, seed);
  // Of an artist, where there were several.
  for (const status of ['pending', 'confirmed', 'expired', 'cancelled', 'artist', 'artist_name']) {
    t.ok(seen[status]! > 0, status);
  }
});
