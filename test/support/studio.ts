import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { Context } from '../../src/context.js';
import { createProgram, runStudio } from '../../src/staff/program.js';

export interface StudioRun {
  code: number;
  stdout: string;
  stderr: string;
  /** What `--json` printed. */
  json<Data = unknown>(): Data;
}

export type Studio = (...args: string[]) => Promise<StudioRun>;

/**
 * The studio's commands in this process, without an interactive terminal. Their output is also
 * written to `watched`.
 */
export function studioIn(
  environment: Record<string, string>,
  interrupted: AbortSignal = new AbortController().signal,
  watched?: PassThrough,
): Studio {
  return async (...args) => {
    const stdout = new PassThrough();
    const stderr = new PassThrough();
    if (watched !== undefined) stdout.pipe(watched);
    const written = Promise.all([text(stdout), text(stderr)]);
    const terminal = { stdin: new PassThrough(), stdout, stderr, environment, interrupted };
    const code = await runStudio(args, terminal);
    stdout.end();
    stderr.end();
    const [out, err] = await written;
    return { code, stdout: out, stderr: err, json: <Data>() => JSON.parse(out) as Data };
  };
}

/** The studio's commands on the database of a service. */
export function studioOn({ config }: Pick<Context, 'config'>): Studio {
  const { databaseUrl, secretKey, publicBaseUrl } = config;
  if (databaseUrl === null || secretKey === null) throw new Error('it has its own database');
  return studioIn({
    DATABASE_URL: databaseUrl,
    SECRET_KEY: secretKey,
    PUBLIC_BASE_URL: publicBaseUrl,
  });
}

/** What `bookings show --json` prints. */
export async function showBooking(studio: Studio, id: string): Promise<unknown> {
  return (await studio('bookings', 'show', id, '--json')).json();
}

/** The names of all commands, such as `bookings list`, sorted. */
export function everyCommand(): string[] {
  const terminal = {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    environment: {},
    interrupted: new AbortController().signal,
  };
  const leavesOf = (command: Command, path: string[] = []): string[] =>
    command.commands.flatMap((each) => {
      const name = [...path, each.name()];
      return each.commands.length > 0 ? leavesOf(each, name) : [name.join(' ')];
    });
  return leavesOf(createProgram(terminal)).sort();
}
