import t from 'tap';
import { hold } from '../support/board.js';
import { openLiveStream } from '../support/live-stream.js';
import { someOpenSlots } from '../support/requests.js';
import { startTestService } from '../support/service.js';

void t.test('a stream starts with retry, the whole availability and a pulse', async (t) => {
  const { url } = await startTestService(t);
  const viewing = await openLiveStream(t, url);
  t.match(viewing.headers, {
    'content-type': 'text/event-stream',
    'cache-control': /no-transform/,
    'x-accel-buffering': 'no',
    ratelimit: /^"reads"/,
  });
  await viewing.until(({ event }) => event === 'pulse');
  t.strictSame(
    viewing.events.map(({ event }) => event),
    ['availability', 'pulse'],
  );
  t.equal(viewing.retries.length, 1);
});

void t.test('a hold reaches the viewers', async (t) => {
  const { url, context } = await startTestService(t);
  const [slot] = await someOpenSlots(context, 1);
  const viewing = await openLiveStream(t, url);
  const first = await viewing.until(({ event }) => event === 'availability');
  await hold(context, slot!.date, slot!.timeSlot);
  const changed = await viewing.until((event) => event.event === 'availability' && event !== first);
  t.not(JSON.stringify(changed), JSON.stringify(first));
});
