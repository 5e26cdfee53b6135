import { type Command, CommanderError, type HelpConfiguration } from 'commander';
import { withoutAddresses } from '../config/validators.js';
import { BackupError } from '../database/backup/format.js';
import { StartError } from '../errors.js';
import { describeOutage, isDatabaseUnavailable, isOutdated } from '../platform/database-errors.js';
import { readPackage } from '../platform/package-root.js';
import { createCommandContext, type Terminal } from './command-context.js';
import { StaffCommand } from './command.js';
import { exitCodes, StaffError, type Failure } from './failure.js';
import { addBackupCommand } from './operator/backup.js';
import { addDoctorCommand } from './operator/doctor.js';
import { addEventCommands } from './operator/events.js';
import { addPlatformCommands } from './operator/platforms.js';
import { addRestoreCommand } from './operator/restore.js';
import { addTransferCommands } from './operator/transfer.js';
import { addArtistCommands } from './studio/artists.js';
import { addAuditCommands } from './studio/audit.js';
import { addBookingCommands } from './studio/bookings.js';
import { addCalendarCommands } from './studio/calendar.js';
import { addClientCommands } from './studio/clients.js';
import { addClosureCommands } from './studio/closures.js';
import { addConfirmationCommands } from './studio/confirmation.js';
import { addConsoleCommands } from './studio/console.js';
import { addFigureCommand } from './studio/figures.js';
import { addHoursCommands } from './studio/hours.js';
import { addInfoCommands } from './studio/info.js';
import { addKeyCommands } from './studio/keys.js';
import { addMailCommands } from './studio/mail.js';
import { addOpeningCommands } from './studio/openings.js';
import { addRetentionCommands } from './studio/retention.js';
import { addWebhookCommands } from './studio/webhooks.js';

const closing = `
Exit codes:
  0    done
  1    failed: the database does not answer, a setting is wrong, or an internal error
  2    usage: unknown command, missing or wrong argument
  3    not found
  4    refused: not possible in the present state, or not confirmed (--yes)
  5    doctor found something wrong
  130  interrupted (Ctrl-C)

The commands work on the database of the service, whether or not it is running: in DATA_DIR
(default ./data), or at DATABASE_URL. They read the same environment as the service.`;

/** Registers every command. @internal */
export function createProgram(terminal: Terminal, args: readonly string[] = []): StaffCommand {
  const commandContext = createCommandContext(
    terminal,
    () => program.opts<{ json?: true }>().json === true,
  );
  const program = new StaffCommand(commandContext, 'studio');
  program
    .description('Commands for the people who run the studio.')
    .option('--json', 'print results as JSON, and failures as JSON on stderr')
    .option('-y, --yes', 'answer each question with yes')
    .version(readPackage().version, '--version', 'print the version')
    .helpOption('-h, --help', 'show help for a command, with examples')
    .helpCommand('help [command]', 'show help for a command, with examples')
    .configureHelp({ showGlobalOptions: true } satisfies HelpConfiguration)
    .configureOutput({
      writeOut: (text) => commandContext.print(linesOf(text)),
      writeErr: (text) => commandContext.printError(linesOf(unrepeated(text, args))),
    })
    .exitOverride()
    .explain(closing);

  addInfoCommands(program);
  addHoursCommands(program);
  addArtistCommands(program);
  addClosureCommands(program);
  addOpeningCommands(program);
  addBookingCommands(program);
  addClientCommands(program);
  addCalendarCommands(program);
  addKeyCommands(program);
  addPlatformCommands(program);
  addConsoleCommands(program);
  addWebhookCommands(program);
  addMailCommands(program);
  addConfirmationCommands(program);
  addEventCommands(program);
  addFigureCommand(program);
  addAuditCommands(program);
  addBackupCommand(program);
  addRestoreCommand(program);
  addTransferCommands(program);
  addRetentionCommands(program);
  addDoctorCommand(program);
  pointToHelp(program, 'studio');
  expectConcerns(program);
  return program;
}

/** The text without the addresses that were given, also as values of options: `--replaces=postgres://…`. */
function unrepeated(text: string, args: readonly string[]): string {
  return withoutAddresses(
    text,
    args.map((each) => each.replace(/^--[\w-]+=/, '')),
  );
}

/** Commander's texts end with a line feed. */
function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

function pointToHelp(command: Command, name: string): void {
  command.showHelpAfterError(`See: ${name} --help`);
  for (const each of command.commands) pointToHelp(each, `${name} ${each.name()}`);
}

/** Fails the start if a command does not declare whom it concerns. @internal */
export function expectConcerns(command: Command): void {
  for (const each of command.commands) expectConcerns(each);
  if (command.commands.length > 0) return;
  if (!(command instanceof StaffCommand) || command.concern === undefined) {
    throw new Error(`“${command.name()}” does not declare whom it concerns`);
  }
}

/** Runs one command line (without the program's own name). Returns the exit code. */
export async function runStudio(args: readonly string[], terminal: Terminal): Promise<number> {
  // Commander's own options are not available if parsing fails.
  const wantsJson = args.includes('--json');
  const program = createProgram(terminal, args);
  if (wantsJson) silenceErrors(program);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    const explained = terminal.interrupted.aborted
      ? { failure: 'interrupted' as const, lines: ['Interrupted.'] }
      : explain(error);
    const { failure } = explained;
    const lines = explained.lines.map((line) => unrepeated(line, args));
    const commandContext = createCommandContext(terminal, () => wantsJson);
    if (wantsJson) {
      commandContext.printError([
        JSON.stringify({ error: { code: failure, message: lines.join('\n') } }),
      ]);
    } else if (!(error instanceof CommanderError)) {
      commandContext.printError(lines);
    }
    return exitCodes[failure];
  }
}

/** Silences commander's text: with `--json`, usage errors are printed as JSON. */
function silenceErrors(command: Command): void {
  command.configureOutput({ outputError: () => undefined, writeErr: () => undefined });
  for (const each of command.commands) silenceErrors(each);
}

/** Our own line breaks start a new line; those of a text that a message quotes do not. */
function explain(error: unknown): { failure: Failure; lines: string[] } {
  if (error instanceof CommanderError) {
    return { failure: 'usage', lines: [error.message.replace(/^error: /, '')] };
  }
  if (error instanceof BackupError) return { failure: 'refused', lines: [error.message] };
  if (error instanceof StaffError) return { failure: error.failure, lines: [error.message] };
  if (error instanceof StartError) {
    return { failure: 'failed', lines: error.message.split('\n') };
  }
  if (isOutdated(error)) return { failure: 'refused', lines: [(error as Error).message] };
  if (isDatabaseUnavailable(error)) return { failure: 'failed', lines: [describeOutage(error)] };
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { failure: 'failed', lines: (stack ?? message).split('\n') };
}
