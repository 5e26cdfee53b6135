import { Command } from 'commander';
import { idPrefix, wholeNumber } from './arguments.js';
import { actorAtTerminal, type CommandContext, confirm } from './command-context.js';
import { openSession, readStudioFacts, type Session, type StudioFacts } from './session.js';

/** A run of a command: who runs it, and how it asks and prints. */
export interface TerminalRun {
  context: CommandContext;
  /** The user and the host, as the audit records them. */
  actor: string;
  /** Whether `--yes` was given. */
  isSure: boolean;
  /** Asks, unless `--yes` was given. Throws `refused` if the answer is no, or nobody can be asked. */
  confirm: (question: string) => Promise<void>;
  /** Prints a result: `data` with `--json`, otherwise `lines`, which are computed only then. */
  print: (data: unknown, lines: () => readonly string[]) => void;
}

/** A `TerminalRun` with an open database. */
export interface Run extends TerminalRun, Session, StudioFacts {}

/** Whom a command concerns: the owner; or also an artist, who does the same in the console with own rows. */
export type CommandConcern = 'owner' | 'artist';

/** A command of the studio. Its subcommands are made by `command`, and share its context. */
export class StaffCommand extends Command {
  readonly context: CommandContext;
  /** Undefined unless it, or the command that it belongs to, declares it. */
  concern: CommandConcern | undefined;

  constructor(context: CommandContext, name?: string) {
    super(name);
    this.context = context;
  }

  override createCommand(name?: string): StaffCommand {
    return new StaffCommand(this.context, name).concerns(this.concern);
  }

  /** Declares whom it concerns, and its subcommands unless they declare it themselves. */
  concerns(whom: CommandConcern | undefined): this {
    this.concern = whom;
    return this;
  }

  /** Adds text and examples to the end of its help. */
  explain(text: string): this {
    return this.addHelpText('after', text);
  }

  withId(): this {
    return this.argument('<id>', 'its id, or the first characters of its id', idPrefix);
  }

  withLimit(noun: string, maximum: number, initial: number): this {
    const parse = wholeNumber(1, maximum);
    return this.option('--limit <n>', `show at most n ${noun}`, parse, initial);
  }

  /** Checks arguments and options together, before the database is opened. */
  check<Given extends unknown[]>(test: (...given: Given) => unknown): this {
    return this.hook('preAction', () => {
      const given: unknown[] = this.processedArgs;
      test(...([...given, this.opts()] as Given));
    });
  }

  /** Opens the database, runs `work` with the arguments and then the options, and closes it. */
  run<Given extends unknown[]>(work: (run: Run, ...given: Given) => Promise<void>): this {
    return this.runWithoutDatabase(async (run, ...given: Given) => {
      const session = await openSession(this.context.environment);
      try {
        const facts = await readStudioFacts(session.services);
        await work({ ...session, ...facts, ...run }, ...given);
      } finally {
        await session.close();
      }
    });
  }

  runWithoutDatabase<Given extends unknown[]>(
    work: (run: TerminalRun, ...given: Given) => Promise<void>,
  ): this {
    const { context } = this;
    return this.action(async (...given) => {
      const isSure = this.optsWithGlobals<{ yes?: true }>().yes === true;
      const run: TerminalRun = {
        context,
        actor: actorAtTerminal(),
        isSure,
        confirm: (question) => confirm(context, question, isSure),
        print: (data, lines) => {
          context.print(context.wantsJson() ? JSON.stringify(data, null, 2).split('\n') : lines());
        },
      };
      await work(run, ...(given as Given));
    });
  }
}
