#!/usr/bin/env node
import { exitCodes } from './failure.js';
import { runStudio } from './program.js';

const shutdownTimeoutMs = 3_000;

/** `npm run studio -- <command>`, or `studio <command>` where the package is installed. */
async function main(): Promise<void> {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      interruption.abort();
      // A command that does not stop in time is ended; PostgreSQL rolls its transaction back.
      setTimeout(() => process.exit(exitCodes.interrupted), shutdownTimeoutMs).unref();
    });
  }
  // A reader that closes the pipe early (`| head`) is no failure.
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
