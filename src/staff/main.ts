#!/usr/bin/env node
import { exitCodes } from './failure.js';
import { runStudio } from './program.js';

const patienceMs = 3_000;

/** `npm run studio -- <command>`, or `studio <command>` where the package is installed. */
async function main(): Promise<void> {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      interruption.abort();
      // What does not put its things in order by itself is ended; the database undoes it.
      setTimeout(() => process.exit(exitCodes.interrupted), patienceMs).unref();
    });
  }
  // A reader that has seen enough (`| head`) is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  process.exitCode = await runStudio(process.argv.slice(2), {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    environment: process.env,
    interrupted: interruption.signal,
  });
}

void main();
