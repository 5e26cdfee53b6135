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

/** The output of a command. The streams themselves are for prompts and progress bars only. */
export interface CommandContext extends Terminal {
  /** Whether `--json` was given. */
  wantsJson: () => boolean;
  /** Writes lines to standard output, with control characters escaped. */
  print(lines: readonly string[]): void;
  /** Writes lines to standard error, with control characters escaped. */
  printError(lines: readonly string[]): void;
}

export function createCommandContext(terminal: Terminal, wantsJson: () => boolean): CommandContext {
  const write = (stream: Writable, lines: readonly string[]) =>
    void stream.write(lines.map((line) => `${printable(line)}\n`).join(''));
  return {
    ...terminal,
    wantsJson,
    print: (lines) => write(terminal.stdout, lines),
    printError: (lines) => write(terminal.stderr, lines),
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
export function isInteractive({ stdin, stderr, wantsJson }: CommandContext): boolean {
  return stdin.isTTY === true && stderr.isTTY === true && !wantsJson();
}

/**
 * Asks a question on a terminal. Throws `refused` if the answer is neither yes nor no, or if there is no
 * terminal to ask on: `otherwise` then says which option answers.
 */
export async function ask(
  context: CommandContext,
  question: string,
  otherwise: string,
): Promise<boolean> {
  if (!isInteractive(context)) {
    const refusal = `${question} There is no terminal to ask on: ${otherwise}`;
    throw new StaffError('refused', refusal);
  }
  const { stdin: input, stderr: output, interrupted: signal } = context;
  const prompts = await import('@inquirer/prompts');
  return prompts
    .confirm({ message: printable(question), default: false }, { input, output, signal })
    .catch(() => {
      throw new StaffError('refused', 'Nothing was changed.');
    });
}

/**
 * Asks for confirmation on a terminal; `yes` (the option `--yes`) skips the question. Throws
 * `refused` if the answer is no, or if there is no terminal to ask on.
 */
export async function confirm(
  context: CommandContext,
  question: string,
  yes: boolean,
): Promise<void> {
  if (yes || (await ask(context, question, 'add --yes to confirm.'))) return;
  throw new StaffError('refused', 'Nothing was changed.');
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
  await checkKeyring({ config, database, keyring });
  return keyring;
}
