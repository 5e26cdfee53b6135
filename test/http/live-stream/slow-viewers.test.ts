import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t, { type Test } from 'tap';
import { comingAvailability } from '../../../src/board/availability.js';
import type { ChangedBooking } from '../../../src/board/board.js';
import type { Context } from '../../../src/context.js';
import { createLiveStream } from '../../../src/http/live-stream/live-stream.js';
import { slotStartsAt, type Slot } from '../../../src/schedule/slots.js';
import { temporaryFolder } from '../../support/embedded.js';
import { someOpenSlots } from '../../support/requests.js';
import { startService } from '../../support/service.js';

/** The stream over a Unix socket: the kernel keeps 200 kB of it, and not megabytes as of TCP. */
async function serve(t: Test, { board, clock }: Context) {
  // The changes of these tests are in no table: no query may undo them.
  await until(() => board.isFresh());
  board.close();
  let skipped = 0;
  const stream = createLiveStream({
    board,
    clock,
    limits: { maxStreams: 10, maxStreamsPerAddress: 10 },
    publicBaseUrl: 'http://studio.test',
    monotonic: () => skipped,
  });
  /** The service's ends of the streams, in the order in which they were opened. */
  const responses: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    responses.push(response);
    void stream.admit('an address').then((viewer) => {
      response.writeHead(200);
      viewer.serve(response, undefined);
    });
  });
  const folder = await temporaryFolder(t);
  const path = join(folder, 'socket');
  await new Promise<void>((resolve) => server.listen(path, resolve));
  t.teardown(async () => {
    server.closeAllConnections();
    server.close();
  });
  return {
    stream,
    responses,
    /** Opens a stream; its text grows as it is read. */
    async open() {
      const socket = connect(path);
      let text = '';
      const started = new Promise<void>((resolve) => socket.once('data', () => resolve()));
      socket.setEncoding('utf8').on('data', (part: string) => (text += part));
      socket.on('error', () => undefined);
      socket.write('GET / HTTP/1.1\r\nHost: studio\r\n\r\n');
      await started;
      return {
        text: () => text,
        pause: () => socket.pause(),
      };
    },
    /** Advances the stream's own clock, which measures pauses and stands still. */
    skip: (milliseconds: number) => void (skipped += milliseconds),
  };
}

/** A change as this process makes one: held, and given up again. */
function change(context: Context, slot: Slot, sequence: number): ChangedBooking {
  const startsAt = slotStartsAt('America/Los_Angeles', slot.date, slot.timeSlot);
  return {
    id: bookingId,
    status: sequence % 2 === 0 ? 'pending' : 'cancelled',
    date: slot.date,
    time_slot: slot.timeSlot,
    artist_id: 1,
    starts_at: new Date(startsAt.epochMs),
    ends_at: new Date(startsAt.epochMs + 4 * 3_600_000),
    expires_at: new Date(context.clock.now() + 900_000),
    sequence,
  };
}

const bookingId = randomUUID();
const largestStateBytes = 16 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The least of several measurements: what is being sent to other viewers is soon collected. */
async function heapMb(): Promise<number> {
  let least = Infinity;
  for (let measurement = 0; measurement < 10; measurement += 1) {
    collectGarbage();
    least = Math.min(least, process.memoryUsage().heapUsed / 2 ** 20);
    await nextTurn();
  }
  return least;
}

/** Resolves when the condition holds; checked in every tick of the event loop. */
async function until(isSo: () => boolean, eachTurn: () => void = () => undefined): Promise<void> {
  while (!isSo()) {
    eachTurn();
    await nextTurn();
  }
}

void t.test('a viewer that stops reading costs bounded memory, and is cut in time', async (t) => {
  const { context } = await startService(t);
  const [slot] = await someOpenSlots(context, 1);
  const served = await serve(t, context);
  const reader = await served.open();
  const sleeper = await served.open();
  sleeper.pause();
  const [, sleeping] = served.responses as [ServerResponse, ServerResponse];

  let sequence = 0;
  const changeAgain = () => context.board.applyLocalChange(change(context, slot, (sequence += 1)));
  const shown = () => reader.text().split('event: availability').length - 1;
  await until(() => sleeping.writableNeedDrain, changeAgain);
  const [shownThen, keptThen] = [shown(), sleeping.writableLength];
  const heapThen = await heapMb();
  await until(() => shown() > shownThen + 10, changeAgain);
  t.equal(sleeping.writableLength, keptThen, 'nothing more was queued for it');
  // Beyond Node's high-water mark (16 KiB, 64 KiB since Node 22) by at most one state.
  const limit = sleeping.writableHighWaterMark + largestStateBytes;
  t.ok(keptThen < limit, `${keptThen} bytes wait for it`);
  const growthMb = (await heapMb()) - heapThen;
  t.ok(growthMb < 5, `the heap has grown by ${growthMb.toFixed(1)} MB`);

  served.skip(15_000);
  await until(() => reader.text().includes('event: heartbeat'));
  t.notOk(sleeping.destroyed, 'before the 30 s are over it is still there');
  served.skip(15_000);
  await until(() => sleeping.destroyed && served.stream.viewerCount() === 1);

  const wanted = `"total_open":${await openCount(context)}`;
  await until(() => reader.text().split('event: availability').at(-1)?.includes(wanted) === true);
});

void t.test('a viewer that resumes reading gets the newest state', async (t) => {
  const { context } = await startService(t);
  const slots = await someOpenSlots(context, 2);
  const served = await serve(t, context);
  const reader = await served.open();
  // Its socket takes no more, as far as the stream can see.
  const [response] = served.responses as [ServerResponse];
  const write = response.write.bind(response);
  let writes = 0;
  response.write = ((bytes: Buffer) => {
    writes += 1;
    write(bytes);
    return false;
  }) as typeof response.write;
  const before = await openCount(context);
  for (const [index, slot] of slots.entries()) {
    context.board.applyLocalChange({ ...change(context, slot, 2), id: randomUUID() });
    await until(() => index > 0 || writes === 1);
  }
  t.equal(writes, 1, 'nothing is written while it is blocked');
  response.write = write;
  response.emit('drain');
  await until(() => reader.text().includes(`"total_open":${before - 2}`));
});

void t.test('every viewer gets a heartbeat every 15 s, and whole frames in order', async (t) => {
  const { context } = await startService(t);
  const served = await serve(t, context);
  const viewers = [await served.open(), await served.open()];
  for (const count of [1, 2, 3]) {
    served.skip(15_000);
    for (const { text } of viewers) {
      await until(() => text().split('event: heartbeat').length - 1 === count);
    }
  }
  // Each chunk is one whole frame.
  const [, ...frames] = viewers[0]!.text().split(/\r\n[\da-f]+\r\n/);
  const pulse = /^event: pulse\ndata: \{.*\}\n\n$/;
  t.match(frames.slice(0, 3), [
    /^retry: \d{4,5}\n\n$/,
    /^id: [\w-]{16}\nevent: availability\ndata: \{.*\}\n\n$/,
    pulse,
  ]);
  const heartbeat = /^event: heartbeat\ndata: \{"server_time":"[^"]+Z"\}\n\n/;
  const others = frames.slice(3).filter((frame) => !pulse.test(frame));
  t.match(others, [heartbeat, heartbeat, heartbeat]);
});

void t.test('a pulse is sent at most once a second, and then shows every change', async (t) => {
  const { context } = await startService(t);
  const slots = await someOpenSlots(context, 5);
  const served = await serve(t, context);
  // Without the tick of each second, which would send what the pulse's own timer has lost.
  t.intercept(globalThis, 'setInterval', { value: () => undefined });
  const { text } = await served.open();
  const pulses = () => text().split('event: pulse').length - 1;
  const shows = (holds: number) => text().includes(`"pending_holds":${holds},`);
  await until(() => shows(0));
  for (const [index, laterMs] of [0, 1, 400, 999, 5_000].entries()) {
    const before = pulses();
    served.skip(laterMs);
    context.board.applyLocalChange({ ...change(context, slots[index]!, 2), id: randomUUID() });
    const open = `"total_open":${await openCount(context)}`;
    await until(() => text().includes(open));
    if (laterMs < 1_000) {
      t.equal(pulses(), before, `${laterMs} ms after a pulse comes no other`);
      served.skip(1_000 - laterMs);
    }
    await until(() => shows(index + 1));
    t.equal(pulses(), before + 1);
  }
});

async function openCount({ board }: Context): Promise<number> {
  return comingAvailability(await board.read()).total_open;
}
