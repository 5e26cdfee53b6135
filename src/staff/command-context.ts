import { hostname, userInfo } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { StaffError } from './failure.js';
import { openSession, type Session } from './session.js';
import { printable } from './text.js';

/** Where a command reads and writes, and what it is told by its environment. */
export interface Terminal {
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable;
  stderr: Writable & { isTTY?: boolean };
  environment: Record<string, string | undefined>;
  /** Aborted when the person wants to end what is going on. */
  interrupted: AbortSignal;
}

/** What every command works with. */
export interface CommandContext extends Pick<Terminal, 'environment' | 'interrupted'> {
  /** For libraries that draw: prompts, a bar. Commands write with what follows. */
  terminal: Terminal;
  /** Whether results are wanted as JSON. */
  wantsJson(): boolean;
  /** Writes lines to standard output; what they hold can neither steer a terminal nor break a line. */
  print(lines: readonly string[]): void;
  /** The same to standard error. */
  printError(lines: readonly string[]): void;
}

/** Everything that commands write passes here. */
export function createCommandContext(terminal: Terminal, wantsJson: () => boolean): CommandContext {
  const { stdout, stderr, environment, interrupted } = terminal;
  const write = (stream: Writable, lines: readonly string[]) =>
    void stream.write(lines.map((line) => `${printable(line)}\n`).join(''));
  return {
    terminal,
    environment,
    interrupted,
    wantsJson,
    print: (lines) => write(stdout, lines),
    printError: (lines) => write(stderr, lines),
  };
}

/** Who is at the terminal, as the audit names them. */
export function actorAtTerminal(): string {
  return `${userName()}@${hostname()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user without a name, such as a container may be given.
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Opens the database for the time of the work. */
export async function withSession<Result>(
  commandContext: CommandContext,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const session = await openSession(commandContext.environment);
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

/** Writes a result: its data with `--json`, its lines otherwise. */
export function printResult(
  commandContext: CommandContext,
  data: unknown,
  lines: () => readonly string[],
): void {
  commandContext.print(
    commandContext.wantsJson() ? JSON.stringify(data, null, 2).split('\n') : lines(),
  );
}

/**
 * Asks before something that cannot be taken back; `yes` answers it beforehand. Throws `refused`
 * when the answer is no, and where nobody can be asked.
 */
export async function confirm(
  commandContext: CommandContext,
  question: string,
  yes: boolean,
): Promise<void> {
  if (yes) return;
  const { stdin, stderr } = commandContext.terminal;
  if (stdin.isTTY !== true || stderr.isTTY !== true || commandContext.wantsJson()) {
    throw new StaffError('refused', `${question} Nobody can be asked here: add --yes to say so.`);
  }
  const prompts = await import('@inquirer/prompts');
  const agreed = await prompts
    .confirm(
      { message: printable(question), default: false },
      { input: stdin, output: stderr, signal: commandContext.interrupted },
    )
    .catch(() => false);
  if (!agreed) throw new StaffError('refused', 'Nothing was changed.');
}
