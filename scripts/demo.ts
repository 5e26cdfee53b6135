/**
 * `npm run demo`: a throwaway service with a believable week, in which a few scripted agents hold
 * slots for people, who confirm, release, cancel, or forget. Nothing of it stays.
 */
import { startDemo } from './demo/demo.js';

const closing = new AbortController();
// On Ctrl-C both the terminal and npm send SIGINT: ignore the second.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => closing.abort());

const demo = await startDemo({
  port: Number(process.env['PORT'] ?? 0),
  tell: (line) => console.log(`  ${line}`),
  signal: closing.signal,
});
console.log(`
  A studio that is made up is open: watch it at

    ${demo.url}/

  Its holds last ${demo.holdSeconds} seconds. Ctrl-C ends it, and leaves nothing.
`);
await demo.ended;
