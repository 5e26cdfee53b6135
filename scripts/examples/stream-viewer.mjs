/**
 * Shows in a terminal how the studio's open times change, live.
 *
 *     npm install eventsource
 *     node stream-viewer.mjs http://127.0.0.1:3000
 */
import { EventSource } from 'eventsource';

const [address = 'http://127.0.0.1:3000'] = process.argv.slice(2);
let open = '';
let pulse = '';

function show() {
  // On a terminal each state replaces the one before; elsewhere it is appended.
  if (process.stdout.isTTY) console.clear();
  console.log(`${pulse}\n${open}`);
}

function watch() {
  const stream = new EventSource(new URL('/api/public/events', address));
  stream.addEventListener('availability', ({ data }) => {
    const lines = JSON.parse(data).days.map(
      ({ date, weekday, slots }) =>
        `${date} ${weekday.padEnd(9)} ${slots.map(({ time_slot }) => time_slot).join('  ')}`,
    );
    open = lines.join('\n');
    show();
  });
  stream.addEventListener('pulse', ({ data }) => {
    const { open_slots, pending_holds, confirmed_upcoming, next_open } = JSON.parse(data);
    const next = next_open?.label ?? 'none';
    pulse = `${open_slots} open, ${pending_holds} held, ${confirmed_upcoming} booked; next: ${next}`;
    show();
  });
  // EventSource reconnects by itself, except after a response that is not a stream (429, 503).
  stream.addEventListener('error', ({ code, message }) => {
    console.error(message ?? 'connection lost');
    if (stream.readyState === EventSource.CLOSED) setTimeout(watch, code === 429 ? 60_000 : 5_000);
  });
}

watch();
