import type { Command } from 'commander';
import {
  createConsoleLink,
  endConsoleSessions,
  maxSessionNameLength,
} from '../../access/console-sessions.js';
import { removePasskey } from '../../access/passkeys.js';
import type { ConsoleSessionRow, PasskeyRow } from '../../database/console-tables.js';
import { listSessions } from '../../repositories/console-sessions.js';
import { listPasskeys } from '../../repositories/passkeys.js';
import { readStudio } from '../../repositories/studio-settings.js';
import { idPrefix, text } from '../arguments.js';
import {
  actorAtTerminal,
  type CommandContext,
  confirm,
  printResult,
  withSession,
} from '../command-context.js';
import { onlyOne, StaffError } from '../failure.js';
import { count, localTime, shortId, table } from '../text.js';

export function addConsoleCommands(program: Command, commandContext: CommandContext): void {
  const studioConsole = program
    .command('console')
    .description("who signs in to the studio's console at /console");

  studioConsole
    .command('link')
    .description('print a link that signs in to the console once, within 15 minutes')
    .option(
      '--name <text>',
      'what the audit calls the session, such as "Ada\'s phone"',
      text(maxSessionNameLength),
    )
    .addHelpText(
      'after',
      `
The link signs in anyone who opens it and presses its button: keep it to yourself. Without --name,
the session is named after you.

Examples:
  studio console link
  studio console link --name "Ada's phone"`,
    )
    .action(({ name }: { name?: string }) =>
      withSession(commandContext, async ({ services, config }) => {
        const actor = actorAtTerminal();
        const link = await createConsoleLink(
          services,
          actor,
          name ?? actor.slice(0, maxSessionNameLength),
        );
        const url = `${config.publicBaseUrl}/console/sign-in/${link.token}`;
        const { timezone } = await readStudio(services.database);
        printResult(commandContext, { url, expires_at: link.expiresAt.toISOString() }, () => [
          url,
          `It signs in once, until ${localTime(link.expiresAt, timezone)}.`,
        ]);
      }),
    );

  addSessionCommands(studioConsole, commandContext);
  addPasskeyCommands(studioConsole, commandContext);
}

function addSessionCommands(studioConsole: Command, commandContext: CommandContext): void {
  const sessions = studioConsole.command('sessions').description('who is signed in');

  sessions
    .command('list')
    .description('list who is signed in, the latest sign-in first')
    .addHelpText('after', '\nExample:\n  studio console sessions list')
    .action(() =>
      withSession(commandContext, async ({ services }) => {
        const rows = await listSessions(services.database);
        const { timezone } = await readStudio(services.database);
        printResult(commandContext, rows.map(sessionData), () =>
          rows.length === 0 ? ['Nobody is signed in.'] : sessionTable(rows, timezone),
        );
      }),
    );

  sessions
    .command('end')
    .description('sign out one session, or all')
    .argument('[id]', 'its id, or the first characters of its id', idPrefix)
    .option('--all', 'every session')
    .option('-y, --yes', 'skip the question')
    .addHelpText(
      'after',
      '\nExamples:\n  studio console sessions end 3f2a81c0\n  studio console sessions end --all --yes',
    )
    .action((id: string | undefined, { all, yes }: { all?: true; yes?: true }) =>
      withSession(commandContext, async ({ services }) => {
        if ((id === undefined) !== (all === true)) {
          throw new StaffError('usage', 'Give the id of a session, or --all.');
        }
        const rows = await listSessions(services.database);
        const found =
          id === undefined
            ? rows
            : [
                onlyOne(
                  rows.filter((row) => row.id.startsWith(id)),
                  'session',
                  id,
                ),
              ];
        if (found.length > 0) {
          await confirm(
            commandContext,
            `Sign out ${count(found.length, 'session')}?`,
            yes === true,
          );
        }
        const ids = found.map((row) => row.id);
        const ended = await endConsoleSessions(services, actorAtTerminal(), ids);
        printResult(commandContext, { ended: ended.map((row) => row.id) }, () => [
          `Signed out: ${count(ended.length, 'session')}.`,
        ]);
      }),
    );
}

function addPasskeyCommands(studioConsole: Command, commandContext: CommandContext): void {
  const passkeys = studioConsole.command('passkeys').description('the passkeys that sign in');

  passkeys
    .command('list')
    .description('list the passkeys, the newest first')
    .addHelpText('after', '\nExample:\n  studio console passkeys list')
    .action(() =>
      withSession(commandContext, async ({ services }) => {
        const rows = await listPasskeys(services.database);
        const { timezone } = await readStudio(services.database);
        printResult(commandContext, rows.map(passkeyData), () =>
          rows.length === 0 ? ['No passkeys.'] : passkeyTable(rows, timezone),
        );
      }),
    );

  passkeys
    .command('remove')
    .description('remove a passkey, and sign out everybody who signed in with it')
    .argument('<id>', 'its id, or the first characters of its id', idPrefix)
    .option('-y, --yes', 'skip the question')
    .addHelpText('after', '\nExample:\n  studio console passkeys remove 3f2a81c0')
    .action((id: string, { yes }: { yes?: true }) =>
      withSession(commandContext, async ({ services }) => {
        const rows = await listPasskeys(services.database);
        const found = onlyOne(
          rows.filter((row) => row.id.startsWith(id)),
          'passkey',
          id,
        );
        await confirm(commandContext, `Remove the passkey “${found.name}”?`, yes === true);
        const removed = await removePasskey(services, actorAtTerminal(), found.id);
        if (removed === null) throw new StaffError('notFound', `No passkey has the id ${id}.`);
        const { passkey, sessionIds } = removed;
        printResult(commandContext, { removed: passkeyData(passkey), ended: sessionIds }, () => [
          `Removed: ${passkey.name}. Signed out: ${count(sessionIds.length, 'session')}.`,
        ]);
      }),
    );
}

/** Without its key and counter, which tell nothing. */
function passkeyData({ id, name, created_at, last_used_at }: PasskeyRow) {
  return { id, name, created_at, last_used_at };
}

function passkeyTable(rows: readonly PasskeyRow[], timezone: string): string[] {
  return table(
    ['ID', 'NAME', 'ADDED', 'LAST USED'],
    rows.map((row) => [
      shortId(row.id),
      row.name,
      localTime(row.created_at, timezone),
      row.last_used_at === null ? 'never' : localTime(row.last_used_at, timezone),
    ]),
  );
}

function sessionData({ token_hash: _, ...row }: ConsoleSessionRow) {
  return row;
}

function sessionTable(rows: readonly ConsoleSessionRow[], timezone: string): string[] {
  return table(
    ['ID', 'NAME', 'SIGNED IN', 'WITH', 'LAST SEEN'],
    rows.map((row) => [
      shortId(row.id),
      row.name,
      localTime(row.signed_in_at, timezone),
      row.passkey_id === null ? 'link' : 'passkey',
      localTime(row.last_seen_at, timezone),
    ]),
  );
}
