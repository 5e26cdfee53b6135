import { hostname, userInfo } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { checkKeyring, findKeyring } from '../database/installation-key.js';
import type { Keyring } from '../secrets/keyring.js';
import { StaffError } from './failure.js';
import type { StaffServices } from './session.js';
import { printable } from './text.js';

/** The streams, environment and interrupt signal that a command runs with. */
export interface Terminal {
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable;
  stderr: Writable & { isTTY?: boolean };
  environment: Record<string, string | undefined>;
  /** Aborted by Ctrl-C. */
  interrupted: AbortSignal;
}

/** What every command needs to read its environment and print its result. */
export interface CommandContext extends Pick<Terminal, 'environment' | 'interrupted'> {
  /** The streams themselves, for prompts and progress bars only. */
  terminal: Terminal;
  /** Whether `--json` was given. */
  wantsJson(): boolean;
  /** Writes lines to standard output, with control characters escaped. */
  print(lines: readonly string[]): void;
  /** Writes lines to standard error, with control characters escaped. */
  printError(lines: readonly string[]): void;
}

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

/** The operating system's user and host, `ada@desk`, as the audit records them. */
export function actorAtTerminal(): string {
  return `${userName()}@${hostname()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // The user id has no name, as is common in containers.
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Whether questions can be asked. */
export function isInteractive(commandContext: CommandContext): boolean {
  const { stdin, stderr } = commandContext.terminal;
  return stdin.isTTY === true && stderr.isTTY === true && !commandContext.wantsJson();
}

/**
 * Asks for confirmation on a terminal; `yes` (the option `--yes`) skips the question. Throws
 * `refused` if the answer is no, or if there is no terminal to ask on.
 */
export async function confirm(
  commandContext: CommandContext,
  question: string,
  yes: boolean,
): Promise<void> {
  if (yes) return;
  const { stdin, stderr } = commandContext.terminal;
  if (!isInteractive(commandContext)) {
    throw new StaffError(
      'refused',
      `${question} There is no terminal to ask on: add --yes to confirm.`,
    );
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

/** The service's own key, for commands that store something encrypted. */
export async function openKeyring({ config, database }: StaffServices): Promise<Keyring> {
  const keyring = await findKeyring(config);
  if (keyring === null) {
    throw new StaffError(
      'refused',
      "The secret key is missing: set SECRET_KEY to the service's, or copy its file secret-key into DATA_DIR.",
    );
  }
  await checkKeyring(database, keyring);
  return keyring;
}
