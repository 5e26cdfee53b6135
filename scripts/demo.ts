/**
 * `npm run demo`: a throwaway service with a believable week, in which a few scripted agents hold
 * slots for people, who confirm, release, cancel or let them expire. Its data is deleted at the end.
 */
import { startDemo } from './demo/demo.js';

const closing = new AbortController();
// Ctrl-C arrives twice, from the terminal and from npm: the second one must not kill the process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => closing.abort());

const demo = await startDemo({
  port: Number(process.env['PORT'] ?? 0),
  print: (line) => console.log(`  ${line}`),
  signal: closing.signal,
});
console.log(`
  The dashboard of an invented studio:

    ${demo.url}/

  The mails that its people and the studio get:

    ${demo.mailboxUrl}/

  Its holds last ${demo.holdSeconds} seconds. Ctrl-C ends the demo and deletes its data.
`);
await demo.ended;
