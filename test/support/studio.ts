import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { Context } from '../../src/context.js';
import type { CommandConcern, StaffCommand } from '../../src/staff/command.js';
import { createProgram, runStudio } from '../../src/staff/program.js';

/**
 * The studio's commands in this process, without an interactive terminal. The first argument may have
 * several words, such as `bookings list --json`. Their output is also written to `watched`.
 */
export function studioIn(
  environment: Record<string, string>,
  interrupted: AbortSignal = new AbortController().signal,
  watched?: PassThrough,
) {
  return async (...args: string[]) => {
    const stdout = new PassThrough();
    const stderr = new PassThrough();
    if (watched !== undefined) stdout.pipe(watched);
    const written = Promise.all([text(stdout), text(stderr)]);
    const terminal = { stdin: new PassThrough(), stdout, stderr, environment, interrupted };
    const [line, ...others] = args;
    const code = await runStudio([...(line?.split(' ') ?? []), ...others], terminal);
    stdout.end();
    stderr.end();
    const [out, err] = await written;
    /** What `--json` printed. */
    const json = <Data = unknown>() => JSON.parse(out) as Data;
    return { code, stdout: out, stderr: err, json };
  };
}

export type Studio = ReturnType<typeof studioIn>;
export type StudioRun = Awaited<ReturnType<Studio>>;

/** The environment of commands on the database of a service: the database tells its address. */
export function studioEnvironment({ config }: Pick<Context, 'config'>): Record<string, string> {
  const { databaseUrl, secretKey } = config;
  if (databaseUrl === null || secretKey === null) throw new Error('it has its own database');
  return { DATABASE_URL: databaseUrl, SECRET_KEY: secretKey };
}

/** The studio's commands on the database of a service. */
export function studioOn(
  service: Pick<Context, 'config'>,
  environment: Record<string, string> = {},
): Studio {
  return studioIn({ ...studioEnvironment(service), ...environment });
}

/** What `doctor` finds about a subject. */
export async function findingOf(studio: Studio, subject: string) {
  const { checks } = (await studio('doctor', '--json')).json<{
    checks: { check: string; status: string; message: string }[];
  }>();
  return checks.find(({ check }) => check === subject);
}

/**
 * Runs a command on an interactive terminal, where each question gets the next of the answers.
 * `asked` is what was written to standard error.
 */
export async function runAnswering(
  environment: Record<string, string>,
  args: string[],
  answers: string[],
  isQuestion: (written: string) => boolean = asksYesOrNo,
): Promise<{ code: number; asked: string }> {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  // A process's standard error cannot be ended either.
  stderr.end = () => stderr;
  let asked = '';
  stderr.on('data', (chunk: Buffer) => {
    asked += chunk.toString();
    if (!isQuestion(chunk.toString())) return;
    const answer = answers.shift();
    setImmediate(() => stdin.write(`${answer}\n`));
  });
  const { signal } = new AbortController();
  const terminal = { stdin, stdout: new PassThrough().resume(), stderr, environment };
  const code = await runStudio(args, { ...terminal, interrupted: signal });
  return { code, asked };
}

function asksYesOrNo(written: string): boolean {
  const [, typed] = written.split('(y/N)');
  // It is drawn again with what was typed. The sequences only move the cursor and clear lines.
  return typed?.replaceAll(/\u001b\[[\d;?]*[A-Z]/g, '').trim() === '';
}

/** What `bookings show --json` prints. */
export async function showBooking(studio: Studio, id: string): Promise<unknown> {
  return (await studio('bookings', 'show', id, '--json')).json();
}

/** The names of all commands, such as `bookings list`, sorted; `concern`: those that declare it. */
export function everyCommand(concern?: CommandConcern): string[] {
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
      if (each.commands.length > 0) return leavesOf(each, name);
      const isMeant = concern === undefined || (each as StaffCommand).concern === concern;
      return isMeant ? [name.join(' ')] : [];
    });
  return leavesOf(createProgram(terminal)).sort();
}
